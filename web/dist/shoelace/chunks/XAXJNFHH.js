import{p as i}from"./O4KERCGA.js";var{I:r}=i;var $=(e,t)=>t===void 0?e?._$litType$!==void 0:e?._$litType$===t;var a=e=>e.strings===void 0;var s={},n=(e,t=s)=>e._$AH=t;export{$ as a,a as b,n as c};
