import{a as w}from"../chunks/O7QJIOUX.js";import"../chunks/S5UAHNU4.js";import{a as u,b as y}from"../chunks/DOSECAJH.js";import"../chunks/LPA5BX4B.js";import"../chunks/RTPEIJXL.js";import{a as g}from"../chunks/ZUQFTHRF.js";import"../chunks/EGDOCAYS.js";import{a as v}from"../chunks/RG4UT7WU.js";import{a as _}from"../chunks/XB42NIIY.js";import"../chunks/XAXJNFHH.js";import"../chunks/BLNORQY2.js";import{a as b}from"../chunks/A5WUC2DY.js";import{g as o,i as h,k as d,q as s,r as m,t as c,v as f}from"../chunks/O4KERCGA.js";var L=h`
  :host {
    --error-color: var(--sl-color-danger-600);
    --success-color: var(--sl-color-success-600);

    display: inline-block;
  }

  .copy-button__button {
    flex: 0 0 auto;
    display: flex;
    align-items: center;
    background: none;
    border: none;
    border-radius: var(--sl-border-radius-medium);
    font-size: inherit;
    color: inherit;
    padding: var(--sl-spacing-x-small);
    cursor: pointer;
    transition: var(--sl-transition-x-fast) color;
  }

  .copy-button--success .copy-button__button {
    color: var(--success-color);
  }

  .copy-button--error .copy-button__button {
    color: var(--error-color);
  }

  .copy-button__button:focus-visible {
    outline: var(--sl-focus-ring);
    outline-offset: var(--sl-focus-ring-offset);
  }

  .copy-button__button[disabled] {
    opacity: 0.5;
    cursor: not-allowed !important;
  }

  slot {
    display: inline-flex;
  }
`;var t=class extends f{constructor(){super(...arguments),this.localize=new v(this),this.isCopying=!1,this.status="rest",this.value="",this.from="",this.disabled=!1,this.copyLabel="",this.successLabel="",this.errorLabel="",this.feedbackDuration=1e3,this.tooltipPlacement="top",this.hoist=!1}async handleCopy(){if(this.disabled||this.isCopying)return;this.isCopying=!0;let e=this.value;if(this.from){let l=this.getRootNode(),n=this.from.includes("."),p=this.from.includes("[")&&this.from.includes("]"),a=this.from,i="";n?[a,i]=this.from.trim().split("."):p&&([a,i]=this.from.trim().replace(/\]$/,"").split("["));let r="getElementById"in l?l.getElementById(a):null;r?p?e=r.getAttribute(i)||"":n?e=r[i]||"":e=r.textContent||"":(this.showStatus("error"),this.emit("sl-error"))}if(!e)this.showStatus("error"),this.emit("sl-error");else try{await navigator.clipboard.writeText(e),this.showStatus("success"),this.emit("sl-copy",{detail:{value:e}})}catch{this.showStatus("error"),this.emit("sl-error")}}async showStatus(e){let l=this.copyLabel||this.localize.term("copy"),n=this.successLabel||this.localize.term("copied"),p=this.errorLabel||this.localize.term("error"),a=e==="success"?this.successIcon:this.errorIcon,i=y(this,"copy.in",{dir:"ltr"}),r=y(this,"copy.out",{dir:"ltr"});this.tooltip.content=e==="success"?n:p,await this.copyIcon.animate(r.keyframes,r.options).finished,this.copyIcon.hidden=!0,this.status=e,a.hidden=!1,await a.animate(i.keyframes,i.options).finished,setTimeout(async()=>{await a.animate(r.keyframes,r.options).finished,a.hidden=!0,this.status="rest",this.copyIcon.hidden=!1,await this.copyIcon.animate(i.keyframes,i.options).finished,this.tooltip.content=l,this.isCopying=!1},this.feedbackDuration)}render(){let e=this.copyLabel||this.localize.term("copy");return d`
      <sl-tooltip
        class=${g({"copy-button":!0,"copy-button--success":this.status==="success","copy-button--error":this.status==="error"})}
        content=${e}
        placement=${this.tooltipPlacement}
        ?disabled=${this.disabled}
        ?hoist=${this.hoist}
        exportparts="
          base:tooltip__base,
          base__popup:tooltip__base__popup,
          base__arrow:tooltip__base__arrow,
          body:tooltip__body
        "
      >
        <button
          class="copy-button__button"
          part="button"
          type="button"
          ?disabled=${this.disabled}
          @click=${this.handleCopy}
        >
          <slot part="copy-icon" name="copy-icon">
            <sl-icon library="system" name="copy"></sl-icon>
          </slot>
          <slot part="success-icon" name="success-icon" hidden>
            <sl-icon library="system" name="check"></sl-icon>
          </slot>
          <slot part="error-icon" name="error-icon" hidden>
            <sl-icon library="system" name="x-lg"></sl-icon>
          </slot>
        </button>
      </sl-tooltip>
    `}};t.styles=[b,L];t.dependencies={"sl-icon":_,"sl-tooltip":w};o([c('slot[name="copy-icon"]')],t.prototype,"copyIcon",2);o([c('slot[name="success-icon"]')],t.prototype,"successIcon",2);o([c('slot[name="error-icon"]')],t.prototype,"errorIcon",2);o([c("sl-tooltip")],t.prototype,"tooltip",2);o([m()],t.prototype,"isCopying",2);o([m()],t.prototype,"status",2);o([s()],t.prototype,"value",2);o([s()],t.prototype,"from",2);o([s({type:Boolean,reflect:!0})],t.prototype,"disabled",2);o([s({attribute:"copy-label"})],t.prototype,"copyLabel",2);o([s({attribute:"success-label"})],t.prototype,"successLabel",2);o([s({attribute:"error-label"})],t.prototype,"errorLabel",2);o([s({attribute:"feedback-duration",type:Number})],t.prototype,"feedbackDuration",2);o([s({attribute:"tooltip-placement"})],t.prototype,"tooltipPlacement",2);o([s({type:Boolean})],t.prototype,"hoist",2);u("copy.in",{keyframes:[{scale:".25",opacity:".25"},{scale:"1",opacity:"1"}],options:{duration:100}});u("copy.out",{keyframes:[{scale:"1",opacity:"1"},{scale:".25",opacity:"0"}],options:{duration:100}});t.define("sl-copy-button");
