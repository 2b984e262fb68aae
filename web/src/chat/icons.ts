// The icons of the bar.

import { icon } from "../elements";

export const EXPAND = icon("M14 4h6v6M20 4l-7 7M10 20H4v-6M4 20l7-7");
export const SHRINK = icon("M20 10h-6V4M14 10l7-7M4 14h6v6M10 14l-7 7");
export const LEAVE = icon("M10 5H6a2 2 0 0 0-2 2v11a2 2 0 0 0 2 2h11a2 2 0 0 0 2-2v-4M14 4h6v6M20 4l-9 9");
export const KEYBOARD = icon("M5 6h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2ZM7 10h.01M11 10h.01M15 10h.01M8 14h8");
