import{a as t}from"../chunks/TSFVYURH.js";import"../chunks/A5WUC2DY.js";import"../chunks/O4KERCGA.js";t.define("sl-button-group");
