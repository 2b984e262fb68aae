import{a as c}from"../chunks/3FDRV65B.js";import{b as d}from"../chunks/T2OVLWW6.js";import{a as h}from"../chunks/HVGQT4YM.js";import{a as f}from"../chunks/3THN4GLH.js";import{a as p}from"../chunks/ZUQFTHRF.js";import"../chunks/EGDOCAYS.js";import{a as l}from"../chunks/BLNORQY2.js";import{a}from"../chunks/A5WUC2DY.js";import{g as e,i as r,q as o,r as u,t as i,v as n}from"../chunks/O4KERCGA.js";var b=r`
  ${c}

  .button__prefix,
  .button__suffix,
  .button__label {
    display: inline-flex;
    position: relative;
    align-items: center;
  }

  /* We use a hidden input so constraint validation errors work, since they don't appear to show when used with buttons.
    We can't actually hide it, though, otherwise the messages will be suppressed by the browser. */
  .hidden-input {
    all: unset;
    position: absolute;
    top: 0;
    left: 0;
    bottom: 0;
    right: 0;
    outline: dotted 1px red;
    opacity: 0;
    z-index: -1;
  }
`;var t=class extends n{constructor(){super(...arguments),this.hasSlotController=new f(this,"[default]","prefix","suffix"),this.hasFocus=!1,this.checked=!1,this.disabled=!1,this.size="medium",this.pill=!1}connectedCallback(){super.connectedCallback(),this.setAttribute("role","presentation")}handleBlur(){this.hasFocus=!1,this.emit("sl-blur")}handleClick(s){if(this.disabled){s.preventDefault(),s.stopPropagation();return}this.checked=!0}handleFocus(){this.hasFocus=!0,this.emit("sl-focus")}handleDisabledChange(){this.setAttribute("aria-disabled",this.disabled?"true":"false")}focus(s){this.input.focus(s)}blur(){this.input.blur()}render(){return d`
      <div part="base" role="presentation">
        <button
          part="${`button${this.checked?" button--checked":""}`}"
          role="radio"
          aria-checked="${this.checked}"
          class=${p({button:!0,"button--default":!0,"button--small":this.size==="small","button--medium":this.size==="medium","button--large":this.size==="large","button--checked":this.checked,"button--disabled":this.disabled,"button--focused":this.hasFocus,"button--outline":!0,"button--pill":this.pill,"button--has-label":this.hasSlotController.test("[default]"),"button--has-prefix":this.hasSlotController.test("prefix"),"button--has-suffix":this.hasSlotController.test("suffix")})}
          aria-disabled=${this.disabled}
          type="button"
          value=${h(this.value)}
          @blur=${this.handleBlur}
          @focus=${this.handleFocus}
          @click=${this.handleClick}
        >
          <slot name="prefix" part="prefix" class="button__prefix"></slot>
          <slot part="label" class="button__label"></slot>
          <slot name="suffix" part="suffix" class="button__suffix"></slot>
        </button>
      </div>
    `}};t.styles=[a,b];e([i(".button")],t.prototype,"input",2);e([i(".hidden-input")],t.prototype,"hiddenInput",2);e([u()],t.prototype,"hasFocus",2);e([o({type:Boolean,reflect:!0})],t.prototype,"checked",2);e([o()],t.prototype,"value",2);e([o({type:Boolean,reflect:!0})],t.prototype,"disabled",2);e([o({reflect:!0})],t.prototype,"size",2);e([o({type:Boolean,reflect:!0})],t.prototype,"pill",2);e([l("disabled",{waitUntilFirstUpdate:!0})],t.prototype,"handleDisabledChange",1);t.define("sl-radio-button");
