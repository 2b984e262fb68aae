import{a as o}from"../chunks/XB42NIIY.js";import"../chunks/XAXJNFHH.js";import"../chunks/BLNORQY2.js";import"../chunks/A5WUC2DY.js";import"../chunks/O4KERCGA.js";o.define("sl-icon");
