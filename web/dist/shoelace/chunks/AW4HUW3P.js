import{a as g}from"./3FDRV65B.js";import{a as y}from"./XYQPOM4R.js";import{a as v,b as C}from"./K5RZBHXW.js";import{a,b as s}from"./T2OVLWW6.js";import{a as r}from"./HVGQT4YM.js";import{a as m}from"./3THN4GLH.js";import{a as c}from"./ZUQFTHRF.js";import{a as b}from"./RG4UT7WU.js";import{a as f}from"./XB42NIIY.js";import{a as u}from"./BLNORQY2.js";import{a as h}from"./A5WUC2DY.js";import{g as e,q as o,r as l,t as p,v as d}from"./O4KERCGA.js";var t=class extends d{constructor(){super(...arguments),this.formControlController=new v(this,{assumeInteractionOn:["click"]}),this.hasSlotController=new m(this,"[default]","prefix","suffix"),this.localize=new b(this),this.hasFocus=!1,this.invalid=!1,this.title="",this.variant="default",this.size="medium",this.caret=!1,this.disabled=!1,this.loading=!1,this.outline=!1,this.pill=!1,this.circle=!1,this.type="button",this.name="",this.value="",this.href="",this.rel="noreferrer noopener"}get validity(){return this.isButton()?this.button.validity:C}get validationMessage(){return this.isButton()?this.button.validationMessage:""}firstUpdated(){this.isButton()&&this.formControlController.updateValidity()}handleBlur(){this.hasFocus=!1,this.emit("sl-blur")}handleFocus(){this.hasFocus=!0,this.emit("sl-focus")}handleClick(){this.type==="submit"&&this.formControlController.submit(this),this.type==="reset"&&this.formControlController.reset(this)}handleInvalid(i){this.formControlController.setValidity(!1),this.formControlController.emitInvalidEvent(i)}isButton(){return!this.href}isLink(){return!!this.href}handleDisabledChange(){this.isButton()&&this.formControlController.setValidity(this.disabled)}click(){this.button.click()}focus(i){this.button.focus(i)}blur(){this.button.blur()}checkValidity(){return this.isButton()?this.button.checkValidity():!0}getForm(){return this.formControlController.getForm()}reportValidity(){return this.isButton()?this.button.reportValidity():!0}setCustomValidity(i){this.isButton()&&(this.button.setCustomValidity(i),this.formControlController.updateValidity())}render(){let i=this.isLink(),n=i?a`a`:a`button`;return s`
      <${n}
        part="base"
        class=${c({button:!0,"button--default":this.variant==="default","button--primary":this.variant==="primary","button--success":this.variant==="success","button--neutral":this.variant==="neutral","button--warning":this.variant==="warning","button--danger":this.variant==="danger","button--text":this.variant==="text","button--small":this.size==="small","button--medium":this.size==="medium","button--large":this.size==="large","button--caret":this.caret,"button--circle":this.circle,"button--disabled":this.disabled,"button--focused":this.hasFocus,"button--loading":this.loading,"button--standard":!this.outline,"button--outline":this.outline,"button--pill":this.pill,"button--rtl":this.localize.dir()==="rtl","button--has-label":this.hasSlotController.test("[default]"),"button--has-prefix":this.hasSlotController.test("prefix"),"button--has-suffix":this.hasSlotController.test("suffix")})}
        ?disabled=${r(i?void 0:this.disabled)}
        type=${r(i?void 0:this.type)}
        title=${this.title}
        name=${r(i?void 0:this.name)}
        value=${r(i?void 0:this.value)}
        href=${r(i&&!this.disabled?this.href:void 0)}
        target=${r(i?this.target:void 0)}
        download=${r(i?this.download:void 0)}
        rel=${r(i?this.rel:void 0)}
        role=${r(i?void 0:"button")}
        aria-disabled=${this.disabled?"true":"false"}
        tabindex=${this.disabled?"-1":"0"}
        @blur=${this.handleBlur}
        @focus=${this.handleFocus}
        @invalid=${this.isButton()?this.handleInvalid:null}
        @click=${this.handleClick}
      >
        <slot name="prefix" part="prefix" class="button__prefix"></slot>
        <slot part="label" class="button__label"></slot>
        <slot name="suffix" part="suffix" class="button__suffix"></slot>
        ${this.caret?s` <sl-icon part="caret" class="button__caret" library="system" name="caret"></sl-icon> `:""}
        ${this.loading?s`<sl-spinner part="spinner"></sl-spinner>`:""}
      </${n}>
    `}};t.styles=[h,g];t.dependencies={"sl-icon":f,"sl-spinner":y};e([p(".button")],t.prototype,"button",2);e([l()],t.prototype,"hasFocus",2);e([l()],t.prototype,"invalid",2);e([o()],t.prototype,"title",2);e([o({reflect:!0})],t.prototype,"variant",2);e([o({reflect:!0})],t.prototype,"size",2);e([o({type:Boolean,reflect:!0})],t.prototype,"caret",2);e([o({type:Boolean,reflect:!0})],t.prototype,"disabled",2);e([o({type:Boolean,reflect:!0})],t.prototype,"loading",2);e([o({type:Boolean,reflect:!0})],t.prototype,"outline",2);e([o({type:Boolean,reflect:!0})],t.prototype,"pill",2);e([o({type:Boolean,reflect:!0})],t.prototype,"circle",2);e([o()],t.prototype,"type",2);e([o()],t.prototype,"name",2);e([o()],t.prototype,"value",2);e([o()],t.prototype,"href",2);e([o()],t.prototype,"target",2);e([o()],t.prototype,"rel",2);e([o()],t.prototype,"download",2);e([o()],t.prototype,"form",2);e([o({attribute:"formaction"})],t.prototype,"formAction",2);e([o({attribute:"formenctype"})],t.prototype,"formEnctype",2);e([o({attribute:"formmethod"})],t.prototype,"formMethod",2);e([o({attribute:"formnovalidate",type:Boolean})],t.prototype,"formNoValidate",2);e([o({attribute:"formtarget"})],t.prototype,"formTarget",2);e([u("disabled",{waitUntilFirstUpdate:!0})],t.prototype,"handleDisabledChange",1);export{t as a};
