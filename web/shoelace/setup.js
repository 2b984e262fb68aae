// Runs before the first component. Icons come from our own server: one file
// for each initial, with the icons of the set as symbols.

import { registerIconLibrary } from "@shoelace-style/shoelace/dist/utilities/icon-library.js";

registerIconLibrary("default", {
  spriteSheet: true,
  resolver: (name) => (/^[0-9a-z][0-9a-z-]*$/.test(name) ? `/shoelace/icons/${name[0]}.svg#${name}` : ""),
});
