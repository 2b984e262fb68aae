import{a as y}from"../chunks/DLXJILGS.js";import{a as p}from"../chunks/QYGF772H.js";import{a as m}from"../chunks/M4CWRDKB.js";import{a as u}from"../chunks/ZUQFTHRF.js";import"../chunks/EGDOCAYS.js";import{a as v}from"../chunks/RG4UT7WU.js";import{a as _}from"../chunks/XB42NIIY.js";import"../chunks/XAXJNFHH.js";import{a as d}from"../chunks/BLNORQY2.js";import{a as h}from"../chunks/A5WUC2DY.js";import{g as o,i as n,k as c,q as f,t as l,v as g}from"../chunks/O4KERCGA.js";var w=n`
  :host {
    --divider-width: 2px;
    --handle-size: 2.5rem;

    display: inline-block;
    position: relative;
  }

  .image-comparer {
    max-width: 100%;
    max-height: 100%;
    overflow: hidden;
  }

  .image-comparer__before,
  .image-comparer__after {
    display: block;
    pointer-events: none;
  }

  .image-comparer__before::slotted(img),
  .image-comparer__after::slotted(img),
  .image-comparer__before::slotted(svg),
  .image-comparer__after::slotted(svg) {
    display: block;
    max-width: 100% !important;
    height: auto;
  }

  .image-comparer__after {
    position: absolute;
    top: 0;
    left: 0;
    height: 100%;
    width: 100%;
  }

  .image-comparer__divider {
    display: flex;
    align-items: center;
    justify-content: center;
    position: absolute;
    top: 0;
    width: var(--divider-width);
    height: 100%;
    background-color: var(--sl-color-neutral-0);
    translate: calc(var(--divider-width) / -2);
    cursor: ew-resize;
  }

  .image-comparer__handle {
    display: flex;
    align-items: center;
    justify-content: center;
    position: absolute;
    top: calc(50% - (var(--handle-size) / 2));
    width: var(--handle-size);
    height: var(--handle-size);
    background-color: var(--sl-color-neutral-0);
    border-radius: var(--sl-border-radius-circle);
    font-size: calc(var(--handle-size) * 0.5);
    color: var(--sl-color-neutral-700);
    cursor: inherit;
    z-index: 10;
  }

  .image-comparer__handle:focus-visible {
    outline: var(--sl-focus-ring);
    outline-offset: var(--sl-focus-ring-offset);
  }
`;var i=class extends g{constructor(){super(...arguments),this.localize=new v(this),this.position=50}handleDrag(e){let{width:t}=this.base.getBoundingClientRect(),a=this.localize.dir()==="rtl";e.preventDefault(),y(this.base,{onMove:s=>{this.position=parseFloat(m(s/t*100,0,100).toFixed(2)),a&&(this.position=100-this.position)},initialEvent:e})}handleKeyDown(e){let t=this.localize.dir()==="ltr",a=this.localize.dir()==="rtl";if(["ArrowLeft","ArrowRight","Home","End"].includes(e.key)){let s=e.shiftKey?10:1,r=this.position;e.preventDefault(),(t&&e.key==="ArrowLeft"||a&&e.key==="ArrowRight")&&(r-=s),(t&&e.key==="ArrowRight"||a&&e.key==="ArrowLeft")&&(r+=s),e.key==="Home"&&(r=0),e.key==="End"&&(r=100),r=m(r,0,100),this.position=r}}handlePositionChange(){this.emit("sl-change")}render(){let e=this.localize.dir()==="rtl";return c`
      <div
        part="base"
        id="image-comparer"
        class=${u({"image-comparer":!0,"image-comparer--rtl":e})}
        @keydown=${this.handleKeyDown}
      >
        <div class="image-comparer__image">
          <div part="before" class="image-comparer__before">
            <slot name="before"></slot>
          </div>

          <div
            part="after"
            class="image-comparer__after"
            style=${p({clipPath:e?`inset(0 0 0 ${100-this.position}%)`:`inset(0 ${100-this.position}% 0 0)`})}
          >
            <slot name="after"></slot>
          </div>
        </div>

        <div
          part="divider"
          class="image-comparer__divider"
          style=${p({left:e?`${100-this.position}%`:`${this.position}%`})}
          @mousedown=${this.handleDrag}
          @touchstart=${this.handleDrag}
        >
          <div
            part="handle"
            class="image-comparer__handle"
            role="scrollbar"
            aria-valuenow=${this.position}
            aria-valuemin="0"
            aria-valuemax="100"
            aria-controls="image-comparer"
            tabindex="0"
          >
            <slot name="handle">
              <sl-icon library="system" name="grip-vertical"></sl-icon>
            </slot>
          </div>
        </div>
      </div>
    `}};i.styles=[h,w];i.scopedElement={"sl-icon":_};o([l(".image-comparer")],i.prototype,"base",2);o([l(".image-comparer__handle")],i.prototype,"handle",2);o([f({type:Number,reflect:!0})],i.prototype,"position",2);o([d("position",{waitUntilFirstUpdate:!0})],i.prototype,"handlePositionChange",1);i.define("sl-image-comparer");
