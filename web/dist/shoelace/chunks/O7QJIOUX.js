import{a as k}from"./S5UAHNU4.js";import{a as l,b as h}from"./DOSECAJH.js";import{a as d}from"./LPA5BX4B.js";import{a as c,b as u,d as m}from"./RTPEIJXL.js";import{a as w}from"./ZUQFTHRF.js";import{a as b}from"./RG4UT7WU.js";import{a as s}from"./BLNORQY2.js";import{a as g}from"./A5WUC2DY.js";import{g as e,i as f,k as y,q as i,t as r,v}from"./O4KERCGA.js";var _=f`
  :host {
    --max-width: 20rem;
    --hide-delay: 0ms;
    --show-delay: 150ms;

    display: contents;
  }

  .tooltip {
    --arrow-size: var(--sl-tooltip-arrow-size);
    --arrow-color: var(--sl-tooltip-background-color);
  }

  .tooltip::part(popup) {
    z-index: var(--sl-z-index-tooltip);
  }

  .tooltip[placement^='top']::part(popup) {
    transform-origin: bottom;
  }

  .tooltip[placement^='bottom']::part(popup) {
    transform-origin: top;
  }

  .tooltip[placement^='left']::part(popup) {
    transform-origin: right;
  }

  .tooltip[placement^='right']::part(popup) {
    transform-origin: left;
  }

  .tooltip__body {
    display: block;
    width: max-content;
    max-width: var(--max-width);
    border-radius: var(--sl-tooltip-border-radius);
    background-color: var(--sl-tooltip-background-color);
    font-family: var(--sl-tooltip-font-family);
    font-size: var(--sl-tooltip-font-size);
    font-weight: var(--sl-tooltip-font-weight);
    line-height: var(--sl-tooltip-line-height);
    text-align: start;
    white-space: normal;
    color: var(--sl-tooltip-color);
    padding: var(--sl-tooltip-padding);
    pointer-events: none;
    user-select: none;
    -webkit-user-select: none;
  }
`;var t=class extends v{constructor(){super(),this.localize=new b(this),this.content="",this.placement="top",this.disabled=!1,this.distance=8,this.open=!1,this.skidding=0,this.trigger="hover focus",this.hoist=!1,this.handleBlur=()=>{this.hasTrigger("focus")&&this.hide()},this.handleClick=()=>{this.hasTrigger("click")&&(this.open?this.hide():this.show())},this.handleFocus=()=>{this.hasTrigger("focus")&&this.show()},this.handleDocumentKeyDown=o=>{o.key==="Escape"&&(o.stopPropagation(),this.hide())},this.handleMouseOver=()=>{if(this.hasTrigger("hover")){let o=u(getComputedStyle(this).getPropertyValue("--show-delay"));clearTimeout(this.hoverTimeout),this.hoverTimeout=window.setTimeout(()=>this.show(),o)}},this.handleMouseOut=()=>{if(this.hasTrigger("hover")){let o=u(getComputedStyle(this).getPropertyValue("--hide-delay"));clearTimeout(this.hoverTimeout),this.hoverTimeout=window.setTimeout(()=>this.hide(),o)}},this.addEventListener("blur",this.handleBlur,!0),this.addEventListener("focus",this.handleFocus,!0),this.addEventListener("click",this.handleClick),this.addEventListener("mouseover",this.handleMouseOver),this.addEventListener("mouseout",this.handleMouseOut)}disconnectedCallback(){var o;super.disconnectedCallback(),(o=this.closeWatcher)==null||o.destroy(),document.removeEventListener("keydown",this.handleDocumentKeyDown)}firstUpdated(){this.body.hidden=!this.open,this.open&&(this.popup.active=!0,this.popup.reposition())}hasTrigger(o){return this.trigger.split(" ").includes(o)}async handleOpenChange(){var o,a;if(this.open){if(this.disabled)return;this.emit("sl-show"),"CloseWatcher"in window?((o=this.closeWatcher)==null||o.destroy(),this.closeWatcher=new CloseWatcher,this.closeWatcher.onclose=()=>{this.hide()}):document.addEventListener("keydown",this.handleDocumentKeyDown),await m(this.body),this.body.hidden=!1,this.popup.active=!0;let{keyframes:p,options:n}=h(this,"tooltip.show",{dir:this.localize.dir()});await c(this.popup.popup,p,n),this.popup.reposition(),this.emit("sl-after-show")}else{this.emit("sl-hide"),(a=this.closeWatcher)==null||a.destroy(),document.removeEventListener("keydown",this.handleDocumentKeyDown),await m(this.body);let{keyframes:p,options:n}=h(this,"tooltip.hide",{dir:this.localize.dir()});await c(this.popup.popup,p,n),this.popup.active=!1,this.body.hidden=!0,this.emit("sl-after-hide")}}async handleOptionsChange(){this.hasUpdated&&(await this.updateComplete,this.popup.reposition())}handleDisabledChange(){this.disabled&&this.open&&this.hide()}async show(){if(!this.open)return this.open=!0,d(this,"sl-after-show")}async hide(){if(this.open)return this.open=!1,d(this,"sl-after-hide")}render(){return y`
      <sl-popup
        part="base"
        exportparts="
          popup:base__popup,
          arrow:base__arrow
        "
        class=${w({tooltip:!0,"tooltip--open":this.open})}
        placement=${this.placement}
        distance=${this.distance}
        skidding=${this.skidding}
        strategy=${this.hoist?"fixed":"absolute"}
        flip
        shift
        arrow
        hover-bridge
      >
        ${""}
        <slot slot="anchor" aria-describedby="tooltip"></slot>

        ${""}
        <div part="body" id="tooltip" class="tooltip__body" role="tooltip" aria-live=${this.open?"polite":"off"}>
          <slot name="content">${this.content}</slot>
        </div>
      </sl-popup>
    `}};t.styles=[g,_];t.dependencies={"sl-popup":k};e([r("slot:not([name])")],t.prototype,"defaultSlot",2);e([r(".tooltip__body")],t.prototype,"body",2);e([r("sl-popup")],t.prototype,"popup",2);e([i()],t.prototype,"content",2);e([i()],t.prototype,"placement",2);e([i({type:Boolean,reflect:!0})],t.prototype,"disabled",2);e([i({type:Number})],t.prototype,"distance",2);e([i({type:Boolean,reflect:!0})],t.prototype,"open",2);e([i({type:Number})],t.prototype,"skidding",2);e([i()],t.prototype,"trigger",2);e([i({type:Boolean})],t.prototype,"hoist",2);e([s("open",{waitUntilFirstUpdate:!0})],t.prototype,"handleOpenChange",1);e([s(["content","distance","hoist","placement","skidding"])],t.prototype,"handleOptionsChange",1);e([s("disabled")],t.prototype,"handleDisabledChange",1);l("tooltip.show",{keyframes:[{opacity:0,scale:.8},{opacity:1,scale:1}],options:{duration:150,easing:"ease"}});l("tooltip.hide",{keyframes:[{opacity:1,scale:1},{opacity:0,scale:.8}],options:{duration:150,easing:"ease"}});export{t as a};
