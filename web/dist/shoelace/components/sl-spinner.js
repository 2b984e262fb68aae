import{a as r}from"../chunks/XYQPOM4R.js";import"../chunks/RG4UT7WU.js";import"../chunks/A5WUC2DY.js";import"../chunks/O4KERCGA.js";r.define("sl-spinner");
