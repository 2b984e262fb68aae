import{a as e}from"./A5WUC2DY.js";import{i as t,k as o,v as i}from"./O4KERCGA.js";var r=t`
  :host(:not(:focus-within)) {
    position: absolute !important;
    width: 1px !important;
    height: 1px !important;
    clip: rect(0 0 0 0) !important;
    clip-path: inset(50%) !important;
    border: none !important;
    overflow: hidden !important;
    white-space: nowrap !important;
    padding: 0 !important;
  }
`;var n=class extends i{render(){return o` <slot></slot> `}};n.styles=[e,r];export{n as a};
