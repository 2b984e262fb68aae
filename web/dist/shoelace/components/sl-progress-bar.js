import{a as m}from"../chunks/QYGF772H.js";import{a as n}from"../chunks/HVGQT4YM.js";import{a as l}from"../chunks/ZUQFTHRF.js";import"../chunks/EGDOCAYS.js";import{a as p}from"../chunks/RG4UT7WU.js";import{a}from"../chunks/A5WUC2DY.js";import{g as e,i,k as o,q as t,v as s}from"../chunks/O4KERCGA.js";var d=i`
  :host {
    --height: 1rem;
    --track-color: var(--sl-color-neutral-200);
    --indicator-color: var(--sl-color-primary-600);
    --label-color: var(--sl-color-neutral-0);

    display: block;
  }

  .progress-bar {
    position: relative;
    background-color: var(--track-color);
    height: var(--height);
    border-radius: var(--sl-border-radius-pill);
    box-shadow: inset var(--sl-shadow-small);
    overflow: hidden;
  }

  .progress-bar__indicator {
    height: 100%;
    font-family: var(--sl-font-sans);
    font-size: 12px;
    font-weight: var(--sl-font-weight-normal);
    background-color: var(--indicator-color);
    color: var(--label-color);
    text-align: center;
    line-height: var(--height);
    white-space: nowrap;
    overflow: hidden;
    transition:
      400ms width,
      400ms background-color;
    user-select: none;
    -webkit-user-select: none;
  }

  /* Indeterminate */
  .progress-bar--indeterminate .progress-bar__indicator {
    position: absolute;
    animation: indeterminate 2.5s infinite cubic-bezier(0.37, 0, 0.63, 1);
  }

  .progress-bar--indeterminate.progress-bar--rtl .progress-bar__indicator {
    animation-name: indeterminate-rtl;
  }

  @media (forced-colors: active) {
    .progress-bar {
      outline: solid 1px SelectedItem;
      background-color: var(--sl-color-neutral-0);
    }

    .progress-bar__indicator {
      outline: solid 1px SelectedItem;
      background-color: SelectedItem;
    }
  }

  @keyframes indeterminate {
    0% {
      left: -50%;
      width: 50%;
    }
    75%,
    100% {
      left: 100%;
      width: 50%;
    }
  }

  @keyframes indeterminate-rtl {
    0% {
      right: -50%;
      width: 50%;
    }
    75%,
    100% {
      right: 100%;
      width: 50%;
    }
  }
`;var r=class extends s{constructor(){super(...arguments),this.localize=new p(this),this.value=0,this.indeterminate=!1,this.label=""}render(){return o`
      <div
        part="base"
        class=${l({"progress-bar":!0,"progress-bar--indeterminate":this.indeterminate,"progress-bar--rtl":this.localize.dir()==="rtl"})}
        role="progressbar"
        title=${n(this.title)}
        aria-label=${this.label.length>0?this.label:this.localize.term("progress")}
        aria-valuemin="0"
        aria-valuemax="100"
        aria-valuenow=${this.indeterminate?0:this.value}
      >
        <div part="indicator" class="progress-bar__indicator" style=${m({width:`${this.value}%`})}>
          ${this.indeterminate?"":o` <slot part="label" class="progress-bar__label"></slot> `}
        </div>
      </div>
    `}};r.styles=[a,d];e([t({type:Number,reflect:!0})],r.prototype,"value",2);e([t({type:Boolean,reflect:!0})],r.prototype,"indeterminate",2);e([t()],r.prototype,"label",2);r.define("sl-progress-bar");
