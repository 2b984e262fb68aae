import{a as u}from"../chunks/RG4UT7WU.js";import{a as c}from"../chunks/XB42NIIY.js";import"../chunks/XAXJNFHH.js";import"../chunks/BLNORQY2.js";import{a as m}from"../chunks/A5WUC2DY.js";import{g as e,i,k as p,q as n,t as s,v as d}from"../chunks/O4KERCGA.js";var h=i`
  .breadcrumb {
    display: flex;
    align-items: center;
    flex-wrap: wrap;
  }
`;var r=class extends d{constructor(){super(...arguments),this.localize=new u(this),this.separatorDir=this.localize.dir(),this.label=""}getSeparator(){let t=this.separatorSlot.assignedElements({flatten:!0})[0].cloneNode(!0);return[t,...t.querySelectorAll("[id]")].forEach(o=>o.removeAttribute("id")),t.setAttribute("data-default",""),t.slot="separator",t}handleSlotChange(){let a=[...this.defaultSlot.assignedElements({flatten:!0})].filter(t=>t.tagName.toLowerCase()==="sl-breadcrumb-item");a.forEach((t,o)=>{let l=t.querySelector('[slot="separator"]');l===null?t.append(this.getSeparator()):l.hasAttribute("data-default")&&l.replaceWith(this.getSeparator()),o===a.length-1?t.setAttribute("aria-current","page"):t.removeAttribute("aria-current")})}render(){return this.separatorDir!==this.localize.dir()&&(this.separatorDir=this.localize.dir(),this.updateComplete.then(()=>this.handleSlotChange())),p`
      <nav part="base" class="breadcrumb" aria-label=${this.label}>
        <slot @slotchange=${this.handleSlotChange}></slot>
      </nav>

      <span hidden aria-hidden="true">
        <slot name="separator">
          <sl-icon name=${this.localize.dir()==="rtl"?"chevron-left":"chevron-right"} library="system"></sl-icon>
        </slot>
      </span>
    `}};r.styles=[m,h];r.dependencies={"sl-icon":c};e([s("slot")],r.prototype,"defaultSlot",2);e([s('slot[name="separator"]')],r.prototype,"separatorSlot",2);e([n()],r.prototype,"label",2);r.define("sl-breadcrumb");
