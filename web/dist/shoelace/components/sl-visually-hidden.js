import{a as i}from"../chunks/73HEY3N5.js";import"../chunks/A5WUC2DY.js";import"../chunks/O4KERCGA.js";i.define("sl-visually-hidden");
