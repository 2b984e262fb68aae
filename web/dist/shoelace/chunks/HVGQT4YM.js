import{o}from"./O4KERCGA.js";var e=t=>t??o;export{e as a};
