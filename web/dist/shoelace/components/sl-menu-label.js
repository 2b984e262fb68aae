import{a as r}from"../chunks/A5WUC2DY.js";import{i as l,k as t,v as o}from"../chunks/O4KERCGA.js";var a=l`
  :host {
    display: block;
  }

  .menu-label {
    display: inline-block;
    font-family: var(--sl-font-sans);
    font-size: var(--sl-font-size-small);
    font-weight: var(--sl-font-weight-semibold);
    line-height: var(--sl-line-height-normal);
    letter-spacing: var(--sl-letter-spacing-normal);
    color: var(--sl-color-neutral-500);
    padding: var(--sl-spacing-2x-small) var(--sl-spacing-x-large);
    user-select: none;
    -webkit-user-select: none;
  }
`;var e=class extends o{render(){return t` <slot part="base" class="menu-label"></slot> `}};e.styles=[r,a];e.define("sl-menu-label");
