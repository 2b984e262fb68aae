// The error of a view whose chat does not let it call its server. This file does not use the DOM.

/** Forbidden says that the host lets views call no tools, so trying again is useless. */
export class Forbidden extends Error {
  override readonly name = "Forbidden";

  constructor() {
    super("This chat does not let views talk to their server, so nothing live can be displayed here. Open it in the browser.");
  }
}
