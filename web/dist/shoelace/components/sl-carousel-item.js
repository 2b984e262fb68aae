import{a as r}from"../chunks/A5WUC2DY.js";import{i as e,k as o,v as l}from"../chunks/O4KERCGA.js";var a=e`
  :host {
    --aspect-ratio: inherit;

    display: flex;
    align-items: center;
    justify-content: center;
    flex-direction: column;
    width: 100%;
    max-height: 100%;
    aspect-ratio: var(--aspect-ratio);
    scroll-snap-align: start;
    scroll-snap-stop: always;
  }

  ::slotted(img) {
    width: 100% !important;
    height: 100% !important;
    object-fit: cover;
  }
`;var t=class extends l{connectedCallback(){super.connectedCallback()}render(){return o` <slot></slot> `}};t.styles=[r,a];t.define("sl-carousel-item");
