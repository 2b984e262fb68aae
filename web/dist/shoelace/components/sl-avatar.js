import{a as d}from"../chunks/ZUQFTHRF.js";import"../chunks/EGDOCAYS.js";import{a as p}from"../chunks/XB42NIIY.js";import"../chunks/XAXJNFHH.js";import{a as s}from"../chunks/BLNORQY2.js";import{a as l}from"../chunks/A5WUC2DY.js";import{g as r,i as o,k as t,q as e,r as n,v as m}from"../chunks/O4KERCGA.js";var c=o`
  :host {
    display: inline-block;

    --size: 3rem;
  }

  .avatar {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    position: relative;
    width: var(--size);
    height: var(--size);
    background-color: var(--sl-color-neutral-400);
    font-family: var(--sl-font-sans);
    font-size: calc(var(--size) * 0.5);
    font-weight: var(--sl-font-weight-normal);
    color: var(--sl-color-neutral-0);
    user-select: none;
    -webkit-user-select: none;
    vertical-align: middle;
  }

  .avatar--circle,
  .avatar--circle .avatar__image {
    border-radius: var(--sl-border-radius-circle);
  }

  .avatar--rounded,
  .avatar--rounded .avatar__image {
    border-radius: var(--sl-border-radius-medium);
  }

  .avatar--square {
    border-radius: 0;
  }

  .avatar__icon {
    display: flex;
    align-items: center;
    justify-content: center;
    position: absolute;
    top: 0;
    left: 0;
    width: 100%;
    height: 100%;
  }

  .avatar__initials {
    line-height: 1;
    text-transform: uppercase;
  }

  .avatar__image {
    position: absolute;
    top: 0;
    left: 0;
    width: 100%;
    height: 100%;
    object-fit: cover;
    overflow: hidden;
  }
`;var a=class extends m{constructor(){super(...arguments),this.hasError=!1,this.image="",this.label="",this.initials="",this.loading="eager",this.shape="circle"}handleImageChange(){this.hasError=!1}handleImageLoadError(){this.hasError=!0,this.emit("sl-error")}render(){let h=t`
      <img
        part="image"
        class="avatar__image"
        src="${this.image}"
        loading="${this.loading}"
        alt=""
        @error="${this.handleImageLoadError}"
      />
    `,i=t``;return this.initials?i=t`<div part="initials" class="avatar__initials">${this.initials}</div>`:i=t`
        <div part="icon" class="avatar__icon" aria-hidden="true">
          <slot name="icon">
            <sl-icon name="person-fill" library="system"></sl-icon>
          </slot>
        </div>
      `,t`
      <div
        part="base"
        class=${d({avatar:!0,"avatar--circle":this.shape==="circle","avatar--rounded":this.shape==="rounded","avatar--square":this.shape==="square"})}
        role="img"
        aria-label=${this.label}
      >
        ${this.image&&!this.hasError?h:i}
      </div>
    `}};a.styles=[l,c];a.dependencies={"sl-icon":p};r([n()],a.prototype,"hasError",2);r([e()],a.prototype,"image",2);r([e()],a.prototype,"label",2);r([e()],a.prototype,"initials",2);r([e()],a.prototype,"loading",2);r([e({reflect:!0})],a.prototype,"shape",2);r([s("image")],a.prototype,"handleImageChange",1);a.define("sl-avatar");
