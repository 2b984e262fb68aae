import{a as i}from"./A5WUC2DY.js";import{g as r,i as n,k as a,q as b,r as d,t as g,v as p}from"./O4KERCGA.js";var h=n`
  :host {
    display: inline-block;
  }

  .button-group {
    display: flex;
    flex-wrap: nowrap;
  }
`;var s=class extends p{constructor(){super(...arguments),this.disableRole=!1,this.label=""}handleFocus(o){let t=u(o.target);t?.toggleAttribute("data-sl-button-group__button--focus",!0)}handleBlur(o){let t=u(o.target);t?.toggleAttribute("data-sl-button-group__button--focus",!1)}handleMouseOver(o){let t=u(o.target);t?.toggleAttribute("data-sl-button-group__button--hover",!0)}handleMouseOut(o){let t=u(o.target);t?.toggleAttribute("data-sl-button-group__button--hover",!1)}handleSlotChange(){let o=[...this.defaultSlot.assignedElements({flatten:!0})];o.forEach(t=>{let e=o.indexOf(t),l=u(t);l&&(l.toggleAttribute("data-sl-button-group__button",!0),l.toggleAttribute("data-sl-button-group__button--first",e===0),l.toggleAttribute("data-sl-button-group__button--inner",e>0&&e<o.length-1),l.toggleAttribute("data-sl-button-group__button--last",e===o.length-1),l.toggleAttribute("data-sl-button-group__button--radio",l.tagName.toLowerCase()==="sl-radio-button"))})}render(){return a`
      <div
        part="base"
        class="button-group"
        role="${this.disableRole?"presentation":"group"}"
        aria-label=${this.label}
        @focusout=${this.handleBlur}
        @focusin=${this.handleFocus}
        @mouseover=${this.handleMouseOver}
        @mouseout=${this.handleMouseOut}
      >
        <slot @slotchange=${this.handleSlotChange}></slot>
      </div>
    `}};s.styles=[i,h];r([g("slot")],s.prototype,"defaultSlot",2);r([d()],s.prototype,"disableRole",2);r([b()],s.prototype,"label",2);function u(o){var t;let e="sl-button, sl-radio-button";return(t=o.closest(e))!=null?t:o.querySelector(e)}export{s as a};
