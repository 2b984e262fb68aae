import{a as z}from"../chunks/SCP3FALM.js";import{a as f,b as g}from"../chunks/AZGMDUOZ.js";import"../chunks/USYGS26U.js";import{a as u}from"../chunks/RMOKITLE.js";import{a as w}from"../chunks/ZBCZ4D5Q.js";import"../chunks/T2OVLWW6.js";import{a as l,b as s}from"../chunks/DOSECAJH.js";import{a as m}from"../chunks/LPA5BX4B.js";import{a as r,d as n}from"../chunks/RTPEIJXL.js";import{a as c}from"../chunks/HVGQT4YM.js";import{a as k}from"../chunks/3THN4GLH.js";import{a as x}from"../chunks/ZUQFTHRF.js";import"../chunks/EGDOCAYS.js";import{a as C}from"../chunks/RG4UT7WU.js";import"../chunks/XB42NIIY.js";import"../chunks/XAXJNFHH.js";import{a as v}from"../chunks/BLNORQY2.js";import{a as _}from"../chunks/A5WUC2DY.js";import{g as i,i as y,k as h,q as d,t as p,v as b}from"../chunks/O4KERCGA.js";var S=y`
  :host {
    --width: 31rem;
    --header-spacing: var(--sl-spacing-large);
    --body-spacing: var(--sl-spacing-large);
    --footer-spacing: var(--sl-spacing-large);

    display: contents;
  }

  .dialog {
    display: flex;
    align-items: center;
    justify-content: center;
    position: fixed;
    top: 0;
    right: 0;
    bottom: 0;
    left: 0;
    z-index: var(--sl-z-index-dialog);
  }

  .dialog__panel {
    display: flex;
    flex-direction: column;
    z-index: 2;
    width: var(--width);
    max-width: calc(100% - var(--sl-spacing-2x-large));
    max-height: calc(100% - var(--sl-spacing-2x-large));
    background-color: var(--sl-panel-background-color);
    border-radius: var(--sl-border-radius-medium);
    box-shadow: var(--sl-shadow-x-large);
  }

  .dialog__panel:focus {
    outline: none;
  }

  /* Ensure there's enough vertical padding for phones that don't update vh when chrome appears (e.g. iPhone) */
  @media screen and (max-width: 420px) {
    .dialog__panel {
      max-height: 80vh;
    }
  }

  .dialog--open .dialog__panel {
    display: flex;
    opacity: 1;
  }

  .dialog__header {
    flex: 0 0 auto;
    display: flex;
  }

  .dialog__title {
    flex: 1 1 auto;
    font: inherit;
    font-size: var(--sl-font-size-large);
    line-height: var(--sl-line-height-dense);
    padding: var(--header-spacing);
    margin: 0;
  }

  .dialog__header-actions {
    flex-shrink: 0;
    display: flex;
    flex-wrap: wrap;
    justify-content: end;
    gap: var(--sl-spacing-2x-small);
    padding: 0 var(--header-spacing);
  }

  .dialog__header-actions sl-icon-button,
  .dialog__header-actions ::slotted(sl-icon-button) {
    flex: 0 0 auto;
    display: flex;
    align-items: center;
    font-size: var(--sl-font-size-medium);
  }

  .dialog__body {
    flex: 1 1 auto;
    display: block;
    padding: var(--body-spacing);
    overflow: auto;
    -webkit-overflow-scrolling: touch;
  }

  .dialog__footer {
    flex: 0 0 auto;
    text-align: right;
    padding: var(--footer-spacing);
  }

  .dialog__footer ::slotted(sl-button:not(:first-of-type)) {
    margin-inline-start: var(--sl-spacing-x-small);
  }

  .dialog:not(.dialog--has-footer) .dialog__footer {
    display: none;
  }

  .dialog__overlay {
    position: fixed;
    top: 0;
    right: 0;
    bottom: 0;
    left: 0;
    background-color: var(--sl-overlay-background-color);
  }

  @media (forced-colors: active) {
    .dialog__panel {
      border: solid 1px var(--sl-color-neutral-0);
    }
  }
`;var o=class extends b{constructor(){super(...arguments),this.hasSlotController=new k(this,"footer"),this.localize=new C(this),this.modal=new z(this),this.open=!1,this.label="",this.noHeader=!1,this.handleDocumentKeyDown=e=>{e.key==="Escape"&&this.modal.isActive()&&this.open&&(e.stopPropagation(),this.requestClose("keyboard"))}}firstUpdated(){this.dialog.hidden=!this.open,this.open&&(this.addOpenListeners(),this.modal.activate(),f(this))}disconnectedCallback(){super.disconnectedCallback(),this.modal.deactivate(),g(this),this.removeOpenListeners()}requestClose(e){if(this.emit("sl-request-close",{cancelable:!0,detail:{source:e}}).defaultPrevented){let t=s(this,"dialog.denyClose",{dir:this.localize.dir()});r(this.panel,t.keyframes,t.options);return}this.hide()}addOpenListeners(){var e;"CloseWatcher"in window?((e=this.closeWatcher)==null||e.destroy(),this.closeWatcher=new CloseWatcher,this.closeWatcher.onclose=()=>this.requestClose("keyboard")):document.addEventListener("keydown",this.handleDocumentKeyDown)}removeOpenListeners(){var e;(e=this.closeWatcher)==null||e.destroy(),document.removeEventListener("keydown",this.handleDocumentKeyDown)}async handleOpenChange(){if(this.open){this.emit("sl-show"),this.addOpenListeners(),this.originalTrigger=document.activeElement,this.modal.activate(),f(this);let e=this.querySelector("[autofocus]");e&&e.removeAttribute("autofocus"),await Promise.all([n(this.dialog),n(this.overlay)]),this.dialog.hidden=!1,requestAnimationFrame(()=>{this.emit("sl-initial-focus",{cancelable:!0}).defaultPrevented||(e?e.focus({preventScroll:!0}):this.panel.focus({preventScroll:!0})),e&&e.setAttribute("autofocus","")});let a=s(this,"dialog.show",{dir:this.localize.dir()}),t=s(this,"dialog.overlay.show",{dir:this.localize.dir()});await Promise.all([r(this.panel,a.keyframes,a.options),r(this.overlay,t.keyframes,t.options)]),this.emit("sl-after-show")}else{u(this),this.emit("sl-hide"),this.removeOpenListeners(),this.modal.deactivate(),await Promise.all([n(this.dialog),n(this.overlay)]);let e=s(this,"dialog.hide",{dir:this.localize.dir()}),a=s(this,"dialog.overlay.hide",{dir:this.localize.dir()});await Promise.all([r(this.overlay,a.keyframes,a.options).then(()=>{this.overlay.hidden=!0}),r(this.panel,e.keyframes,e.options).then(()=>{this.panel.hidden=!0})]),this.dialog.hidden=!0,this.overlay.hidden=!1,this.panel.hidden=!1,g(this);let t=this.originalTrigger;typeof t?.focus=="function"&&setTimeout(()=>t.focus()),this.emit("sl-after-hide")}}async show(){if(!this.open)return this.open=!0,m(this,"sl-after-show")}async hide(){if(this.open)return this.open=!1,m(this,"sl-after-hide")}render(){return h`
      <div
        part="base"
        class=${x({dialog:!0,"dialog--open":this.open,"dialog--has-footer":this.hasSlotController.test("footer")})}
      >
        <div part="overlay" class="dialog__overlay" @click=${()=>this.requestClose("overlay")} tabindex="-1"></div>

        <div
          part="panel"
          class="dialog__panel"
          role="dialog"
          aria-modal="true"
          aria-hidden=${this.open?"false":"true"}
          aria-label=${c(this.noHeader?this.label:void 0)}
          aria-labelledby=${c(this.noHeader?void 0:"title")}
          tabindex="-1"
        >
          ${this.noHeader?"":h`
                <header part="header" class="dialog__header">
                  <h2 part="title" class="dialog__title" id="title">
                    <slot name="label"> ${this.label.length>0?this.label:"\uFEFF"} </slot>
                  </h2>
                  <div part="header-actions" class="dialog__header-actions">
                    <slot name="header-actions"></slot>
                    <sl-icon-button
                      part="close-button"
                      exportparts="base:close-button__base"
                      class="dialog__close"
                      name="x-lg"
                      label=${this.localize.term("close")}
                      library="system"
                      @click="${()=>this.requestClose("close-button")}"
                    ></sl-icon-button>
                  </div>
                </header>
              `}
          ${""}
          <div part="body" class="dialog__body" tabindex="-1"><slot></slot></div>

          <footer part="footer" class="dialog__footer">
            <slot name="footer"></slot>
          </footer>
        </div>
      </div>
    `}};o.styles=[_,S];o.dependencies={"sl-icon-button":w};i([p(".dialog")],o.prototype,"dialog",2);i([p(".dialog__panel")],o.prototype,"panel",2);i([p(".dialog__overlay")],o.prototype,"overlay",2);i([d({type:Boolean,reflect:!0})],o.prototype,"open",2);i([d({reflect:!0})],o.prototype,"label",2);i([d({attribute:"no-header",type:Boolean,reflect:!0})],o.prototype,"noHeader",2);i([v("open",{waitUntilFirstUpdate:!0})],o.prototype,"handleOpenChange",1);l("dialog.show",{keyframes:[{opacity:0,scale:.8},{opacity:1,scale:1}],options:{duration:250,easing:"ease"}});l("dialog.hide",{keyframes:[{opacity:1,scale:1},{opacity:0,scale:.8}],options:{duration:250,easing:"ease"}});l("dialog.denyClose",{keyframes:[{scale:1},{scale:1.02},{scale:1}],options:{duration:250}});l("dialog.overlay.show",{keyframes:[{opacity:0},{opacity:1}],options:{duration:250}});l("dialog.overlay.hide",{keyframes:[{opacity:1},{opacity:0}],options:{duration:250}});o.define("sl-dialog");
