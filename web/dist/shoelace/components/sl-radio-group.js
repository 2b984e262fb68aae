import{a as k}from"../chunks/VUZI7XWU.js";import{a as _,b as R,c as V,d as x}from"../chunks/K5RZBHXW.js";import{a as b}from"../chunks/3THN4GLH.js";import{a as v}from"../chunks/ZUQFTHRF.js";import"../chunks/EGDOCAYS.js";import{a as c}from"../chunks/BLNORQY2.js";import{a as C}from"../chunks/TSFVYURH.js";import{a as y}from"../chunks/A5WUC2DY.js";import{g as r,i as f,k as h,q as n,r as p,t as m,v as g}from"../chunks/O4KERCGA.js";var w=f`
  :host {
    display: block;
  }

  .form-control {
    position: relative;
    border: none;
    padding: 0;
    margin: 0;
  }

  .form-control__label {
    padding: 0;
  }

  .radio-group--required .radio-group__label::after {
    content: var(--sl-input-required-content);
    margin-inline-start: var(--sl-input-required-content-offset);
  }

  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    padding: 0;
    margin: -1px;
    overflow: hidden;
    clip: rect(0, 0, 0, 0);
    white-space: nowrap;
    border: 0;
  }
`;var s=class extends g{constructor(){super(...arguments),this.formControlController=new _(this),this.hasSlotController=new b(this,"help-text","label"),this.customValidityMessage="",this.hasButtonGroup=!1,this.errorMessage="",this.defaultValue="",this.label="",this.helpText="",this.name="option",this.value="",this.size="medium",this.form="",this.required=!1}get validity(){let t=this.required&&!this.value;return this.customValidityMessage!==""?x:t?V:R}get validationMessage(){let t=this.required&&!this.value;return this.customValidityMessage!==""?this.customValidityMessage:t?this.validationInput.validationMessage:""}connectedCallback(){super.connectedCallback(),this.defaultValue=this.value}firstUpdated(){this.formControlController.updateValidity()}getAllRadios(){return[...this.querySelectorAll("sl-radio, sl-radio-button")]}handleRadioClick(t){let i=t.target.closest("sl-radio, sl-radio-button"),e=this.getAllRadios(),o=this.value;!i||i.disabled||(this.value=i.value,e.forEach(l=>l.checked=l===i),this.value!==o&&(this.emit("sl-change"),this.emit("sl-input")))}handleKeyDown(t){var i;if(!["ArrowUp","ArrowDown","ArrowLeft","ArrowRight"," "].includes(t.key))return;let e=this.getAllRadios().filter(d=>!d.disabled),o=(i=e.find(d=>d.checked))!=null?i:e[0],l=t.key===" "?0:["ArrowUp","ArrowLeft"].includes(t.key)?-1:1,u=this.value,a=e.indexOf(o)+l;a<0&&(a=e.length-1),a>e.length-1&&(a=0),this.getAllRadios().forEach(d=>{d.checked=!1,this.hasButtonGroup||d.setAttribute("tabindex","-1")}),this.value=e[a].value,e[a].checked=!0,this.hasButtonGroup?e[a].shadowRoot.querySelector("button").focus():(e[a].setAttribute("tabindex","0"),e[a].focus()),this.value!==u&&(this.emit("sl-change"),this.emit("sl-input")),t.preventDefault()}handleLabelClick(){this.focus()}handleInvalid(t){this.formControlController.setValidity(!1),this.formControlController.emitInvalidEvent(t)}async syncRadioElements(){var t,i;let e=this.getAllRadios();if(await Promise.all(e.map(async o=>{await o.updateComplete,o.checked=o.value===this.value,o.size=this.size})),this.hasButtonGroup=e.some(o=>o.tagName.toLowerCase()==="sl-radio-button"),e.length>0&&!e.some(o=>o.checked))if(this.hasButtonGroup){let o=(t=e[0].shadowRoot)==null?void 0:t.querySelector("button");o&&o.setAttribute("tabindex","0")}else e[0].setAttribute("tabindex","0");if(this.hasButtonGroup){let o=(i=this.shadowRoot)==null?void 0:i.querySelector("sl-button-group");o&&(o.disableRole=!0)}}syncRadios(){if(customElements.get("sl-radio")&&customElements.get("sl-radio-button")){this.syncRadioElements();return}customElements.get("sl-radio")?this.syncRadioElements():customElements.whenDefined("sl-radio").then(()=>this.syncRadios()),customElements.get("sl-radio-button")?this.syncRadioElements():customElements.whenDefined("sl-radio-button").then(()=>this.syncRadios())}updateCheckedRadio(){this.getAllRadios().forEach(i=>i.checked=i.value===this.value),this.formControlController.setValidity(this.validity.valid)}handleSizeChange(){this.syncRadios()}handleValueChange(){this.hasUpdated&&this.updateCheckedRadio()}checkValidity(){let t=this.required&&!this.value,i=this.customValidityMessage!=="";return t||i?(this.formControlController.emitInvalidEvent(),!1):!0}getForm(){return this.formControlController.getForm()}reportValidity(){let t=this.validity.valid;return this.errorMessage=this.customValidityMessage||t?"":this.validationInput.validationMessage,this.formControlController.setValidity(t),this.validationInput.hidden=!0,clearTimeout(this.validationTimeout),t||(this.validationInput.hidden=!1,this.validationInput.reportValidity(),this.validationTimeout=setTimeout(()=>this.validationInput.hidden=!0,1e4)),t}setCustomValidity(t=""){this.customValidityMessage=t,this.errorMessage=t,this.validationInput.setCustomValidity(t),this.formControlController.updateValidity()}focus(t){let i=this.getAllRadios(),e=i.find(u=>u.checked),o=i.find(u=>!u.disabled),l=e||o;l&&l.focus(t)}render(){let t=this.hasSlotController.test("label"),i=this.hasSlotController.test("help-text"),e=this.label?!0:!!t,o=this.helpText?!0:!!i,l=h`
      <slot @slotchange=${this.syncRadios} @click=${this.handleRadioClick} @keydown=${this.handleKeyDown}></slot>
    `;return h`
      <fieldset
        part="form-control"
        class=${v({"form-control":!0,"form-control--small":this.size==="small","form-control--medium":this.size==="medium","form-control--large":this.size==="large","form-control--radio-group":!0,"form-control--has-label":e,"form-control--has-help-text":o})}
        role="radiogroup"
        aria-labelledby="label"
        aria-describedby="help-text"
        aria-errormessage="error-message"
      >
        <label
          part="form-control-label"
          id="label"
          class="form-control__label"
          aria-hidden=${e?"false":"true"}
          @click=${this.handleLabelClick}
        >
          <slot name="label">${this.label}</slot>
        </label>

        <div part="form-control-input" class="form-control-input">
          <div class="visually-hidden">
            <div id="error-message" aria-live="assertive">${this.errorMessage}</div>
            <label class="radio-group__validation">
              <input
                type="text"
                class="radio-group__validation-input"
                ?required=${this.required}
                tabindex="-1"
                hidden
                @invalid=${this.handleInvalid}
              />
            </label>
          </div>

          ${this.hasButtonGroup?h`
                <sl-button-group part="button-group" exportparts="base:button-group__base" role="presentation">
                  ${l}
                </sl-button-group>
              `:l}
        </div>

        <div
          part="form-control-help-text"
          id="help-text"
          class="form-control__help-text"
          aria-hidden=${o?"false":"true"}
        >
          <slot name="help-text">${this.helpText}</slot>
        </div>
      </fieldset>
    `}};s.styles=[y,k,w];s.dependencies={"sl-button-group":C};r([m("slot:not([name])")],s.prototype,"defaultSlot",2);r([m(".radio-group__validation-input")],s.prototype,"validationInput",2);r([p()],s.prototype,"hasButtonGroup",2);r([p()],s.prototype,"errorMessage",2);r([p()],s.prototype,"defaultValue",2);r([n()],s.prototype,"label",2);r([n({attribute:"help-text"})],s.prototype,"helpText",2);r([n()],s.prototype,"name",2);r([n({reflect:!0})],s.prototype,"value",2);r([n({reflect:!0})],s.prototype,"size",2);r([n({reflect:!0})],s.prototype,"form",2);r([n({type:Boolean,reflect:!0})],s.prototype,"required",2);r([c("size",{waitUntilFirstUpdate:!0})],s.prototype,"handleSizeChange",1);r([c("value")],s.prototype,"handleValueChange",1);s.define("sl-radio-group");
