// xterm.js, for documents without a network.

import * as xterm from "../../dist/xterm/xterm.js";

window.uiXterm = xterm;
