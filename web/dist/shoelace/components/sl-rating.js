import{a as m}from"../chunks/LC5SGSSL.js";import{a as c}from"../chunks/QYGF772H.js";import{a as $}from"../chunks/M4CWRDKB.js";import{a as h}from"../chunks/ZUQFTHRF.js";import"../chunks/EGDOCAYS.js";import{a as _}from"../chunks/RG4UT7WU.js";import{a as b}from"../chunks/XB42NIIY.js";import"../chunks/XAXJNFHH.js";import{a as u}from"../chunks/BLNORQY2.js";import{a as g}from"../chunks/A5WUC2DY.js";import{g as r,i as d,k as n,q as a,r as p,s as y,t as v,v as f}from"../chunks/O4KERCGA.js";var V=d`
  :host {
    --symbol-color: var(--sl-color-neutral-300);
    --symbol-color-active: var(--sl-color-amber-500);
    --symbol-size: 1.2rem;
    --symbol-spacing: var(--sl-spacing-3x-small);

    display: inline-flex;
  }

  .rating {
    position: relative;
    display: inline-flex;
    border-radius: var(--sl-border-radius-medium);
    vertical-align: middle;
  }

  .rating:focus {
    outline: none;
  }

  .rating:focus-visible {
    outline: var(--sl-focus-ring);
    outline-offset: var(--sl-focus-ring-offset);
  }

  .rating__symbols {
    display: inline-flex;
    position: relative;
    font-size: var(--symbol-size);
    line-height: 0;
    color: var(--symbol-color);
    white-space: nowrap;
    cursor: pointer;
  }

  .rating__symbols > * {
    padding: var(--symbol-spacing);
  }

  .rating__symbol--active,
  .rating__partial--filled {
    color: var(--symbol-color-active);
  }

  .rating__partial-symbol-container {
    position: relative;
  }

  .rating__partial--filled {
    position: absolute;
    top: var(--symbol-spacing);
    left: var(--symbol-spacing);
  }

  .rating__symbol {
    transition: var(--sl-transition-fast) scale;
    pointer-events: none;
  }

  .rating__symbol--hover {
    scale: 1.2;
  }

  .rating--disabled .rating__symbols,
  .rating--readonly .rating__symbols {
    cursor: default;
  }

  .rating--disabled .rating__symbol--hover,
  .rating--readonly .rating__symbol--hover {
    scale: none;
  }

  .rating--disabled {
    opacity: 0.5;
  }

  .rating--disabled .rating__symbols {
    cursor: not-allowed;
  }

  /* Forced colors mode */
  @media (forced-colors: active) {
    .rating__symbol--active {
      color: SelectedItem;
    }
  }
`;var i=class extends f{constructor(){super(...arguments),this.localize=new _(this),this.hoverValue=0,this.isHovering=!1,this.label="",this.value=0,this.max=5,this.precision=1,this.readonly=!1,this.disabled=!1,this.getSymbol=()=>'<sl-icon name="star-fill" library="system"></sl-icon>'}getValueFromMousePosition(t){return this.getValueFromXCoordinate(t.clientX)}getValueFromTouchPosition(t){return this.getValueFromXCoordinate(t.touches[0].clientX)}getValueFromXCoordinate(t){let s=this.localize.dir()==="rtl",{left:e,right:o,width:l}=this.rating.getBoundingClientRect(),M=s?this.roundToPrecision((o-t)/l*this.max,this.precision):this.roundToPrecision((t-e)/l*this.max,this.precision);return $(M,0,this.max)}handleClick(t){this.disabled||(this.setValue(this.getValueFromMousePosition(t)),this.emit("sl-change"))}setValue(t){this.disabled||this.readonly||(this.value=t===this.value?0:t,this.isHovering=!1)}handleKeyDown(t){let s=this.localize.dir()==="ltr",e=this.localize.dir()==="rtl",o=this.value;if(!(this.disabled||this.readonly)){if(t.key==="ArrowDown"||s&&t.key==="ArrowLeft"||e&&t.key==="ArrowRight"){let l=t.shiftKey?1:this.precision;this.value=Math.max(0,this.value-l),t.preventDefault()}if(t.key==="ArrowUp"||s&&t.key==="ArrowRight"||e&&t.key==="ArrowLeft"){let l=t.shiftKey?1:this.precision;this.value=Math.min(this.max,this.value+l),t.preventDefault()}t.key==="Home"&&(this.value=0,t.preventDefault()),t.key==="End"&&(this.value=this.max,t.preventDefault()),this.value!==o&&this.emit("sl-change")}}handleMouseEnter(t){this.isHovering=!0,this.hoverValue=this.getValueFromMousePosition(t)}handleMouseMove(t){this.hoverValue=this.getValueFromMousePosition(t)}handleMouseLeave(){this.isHovering=!1}handleTouchStart(t){this.isHovering=!0,this.hoverValue=this.getValueFromTouchPosition(t),t.preventDefault()}handleTouchMove(t){this.hoverValue=this.getValueFromTouchPosition(t)}handleTouchEnd(t){this.isHovering=!1,this.setValue(this.hoverValue),this.emit("sl-change"),t.preventDefault()}roundToPrecision(t,s=.5){let e=1/s;return Math.ceil(t*e)/e}handleHoverValueChange(){this.emit("sl-hover",{detail:{phase:"move",value:this.hoverValue}})}handleIsHoveringChange(){this.emit("sl-hover",{detail:{phase:this.isHovering?"start":"end",value:this.hoverValue}})}focus(t){this.rating.focus(t)}blur(){this.rating.blur()}render(){let t=this.localize.dir()==="rtl",s=Array.from(Array(this.max).keys()),e=0;return this.disabled||this.readonly?e=this.value:e=this.isHovering?this.hoverValue:this.value,n`
      <div
        part="base"
        class=${h({rating:!0,"rating--readonly":this.readonly,"rating--disabled":this.disabled,"rating--rtl":t})}
        role="slider"
        aria-label=${this.label}
        aria-disabled=${this.disabled?"true":"false"}
        aria-readonly=${this.readonly?"true":"false"}
        aria-valuenow=${this.value}
        aria-valuemin=${0}
        aria-valuemax=${this.max}
        tabindex=${this.disabled||this.readonly?"-1":"0"}
        @click=${this.handleClick}
        @keydown=${this.handleKeyDown}
        @mouseenter=${this.handleMouseEnter}
        @touchstart=${this.handleTouchStart}
        @mouseleave=${this.handleMouseLeave}
        @touchend=${this.handleTouchEnd}
        @mousemove=${this.handleMouseMove}
        @touchmove=${this.handleTouchMove}
      >
        <span class="rating__symbols">
          ${s.map(o=>e>o&&e<o+1?n`
                <span
                  class=${h({rating__symbol:!0,"rating__partial-symbol-container":!0,"rating__symbol--hover":this.isHovering&&Math.ceil(e)===o+1})}
                  role="presentation"
                >
                  <div
                    style=${c({clipPath:t?`inset(0 ${(e-o)*100}% 0 0)`:`inset(0 0 0 ${(e-o)*100}%)`})}
                  >
                    ${m(this.getSymbol(o+1))}
                  </div>
                  <div
                    class="rating__partial--filled"
                    style=${c({clipPath:t?`inset(0 0 0 ${100-(e-o)*100}%)`:`inset(0 ${100-(e-o)*100}% 0 0)`})}
                  >
                    ${m(this.getSymbol(o+1))}
                  </div>
                </span>
              `:n`
              <span
                class=${h({rating__symbol:!0,"rating__symbol--hover":this.isHovering&&Math.ceil(e)===o+1,"rating__symbol--active":e>=o+1})}
                role="presentation"
              >
                ${m(this.getSymbol(o+1))}
              </span>
            `)}
        </span>
      </div>
    `}};i.styles=[g,V];i.dependencies={"sl-icon":b};r([v(".rating")],i.prototype,"rating",2);r([p()],i.prototype,"hoverValue",2);r([p()],i.prototype,"isHovering",2);r([a()],i.prototype,"label",2);r([a({type:Number})],i.prototype,"value",2);r([a({type:Number})],i.prototype,"max",2);r([a({type:Number})],i.prototype,"precision",2);r([a({type:Boolean,reflect:!0})],i.prototype,"readonly",2);r([a({type:Boolean,reflect:!0})],i.prototype,"disabled",2);r([a()],i.prototype,"getSymbol",2);r([y({passive:!0})],i.prototype,"handleTouchMove",1);r([u("hoverValue")],i.prototype,"handleHoverValueChange",1);r([u("isHovering")],i.prototype,"handleIsHoveringChange",1);i.define("sl-rating");
