import{a as r}from"../chunks/Y2FPNDCX.js";import"../chunks/BLNORQY2.js";import"../chunks/A5WUC2DY.js";import"../chunks/O4KERCGA.js";r.define("sl-resize-observer");
