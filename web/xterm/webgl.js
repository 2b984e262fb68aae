// The renderer that draws with WebGL.
export { WebglAddon } from "@xterm/addon-webgl";
