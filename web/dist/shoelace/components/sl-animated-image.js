import{a as h}from"../chunks/XB42NIIY.js";import"../chunks/XAXJNFHH.js";import{a as r}from"../chunks/BLNORQY2.js";import{a as d}from"../chunks/A5WUC2DY.js";import{g as e,i as m,k as o,q as i,r as s,t as p,v as c}from"../chunks/O4KERCGA.js";var y=m`
  :host {
    --control-box-size: 3rem;
    --icon-size: calc(var(--control-box-size) * 0.625);

    display: inline-flex;
    position: relative;
    cursor: pointer;
  }

  img {
    display: block;
    width: 100%;
    height: 100%;
  }

  img[aria-hidden='true'] {
    display: none;
  }

  .animated-image__control-box {
    display: flex;
    position: absolute;
    align-items: center;
    justify-content: center;
    top: calc(50% - var(--control-box-size) / 2);
    right: calc(50% - var(--control-box-size) / 2);
    width: var(--control-box-size);
    height: var(--control-box-size);
    font-size: var(--icon-size);
    background: none;
    border: solid 2px currentColor;
    background-color: rgb(0 0 0 /50%);
    border-radius: var(--sl-border-radius-circle);
    color: white;
    pointer-events: none;
    transition: var(--sl-transition-fast) opacity;
  }

  :host([play]:hover) .animated-image__control-box {
    opacity: 1;
  }

  :host([play]:not(:hover)) .animated-image__control-box {
    opacity: 0;
  }

  :host([play]) slot[name='play-icon'],
  :host(:not([play])) slot[name='pause-icon'] {
    display: none;
  }
`;var t=class extends c{constructor(){super(...arguments),this.isLoaded=!1}handleClick(){this.play=!this.play}handleLoad(){let a=document.createElement("canvas"),{width:n,height:l}=this.animatedImage;a.width=n,a.height=l,a.getContext("2d").drawImage(this.animatedImage,0,0,n,l),this.frozenFrame=a.toDataURL("image/gif"),this.isLoaded||(this.emit("sl-load"),this.isLoaded=!0)}handleError(){this.emit("sl-error")}handlePlayChange(){this.play&&(this.animatedImage.src="",this.animatedImage.src=this.src)}handleSrcChange(){this.isLoaded=!1}render(){return o`
      <div class="animated-image">
        <img
          class="animated-image__animated"
          src=${this.src}
          alt=${this.alt}
          crossorigin="anonymous"
          aria-hidden=${this.play?"false":"true"}
          @click=${this.handleClick}
          @load=${this.handleLoad}
          @error=${this.handleError}
        />

        ${this.isLoaded?o`
              <img
                class="animated-image__frozen"
                src=${this.frozenFrame}
                alt=${this.alt}
                aria-hidden=${this.play?"true":"false"}
                @click=${this.handleClick}
              />

              <div part="control-box" class="animated-image__control-box">
                <slot name="play-icon"><sl-icon name="play-fill" library="system"></sl-icon></slot>
                <slot name="pause-icon"><sl-icon name="pause-fill" library="system"></sl-icon></slot>
              </div>
            `:""}
      </div>
    `}};t.styles=[d,y];t.dependencies={"sl-icon":h};e([p(".animated-image__animated")],t.prototype,"animatedImage",2);e([s()],t.prototype,"frozenFrame",2);e([s()],t.prototype,"isLoaded",2);e([i()],t.prototype,"src",2);e([i()],t.prototype,"alt",2);e([i({type:Boolean,reflect:!0})],t.prototype,"play",2);e([r("play",{waitUntilFirstUpdate:!0})],t.prototype,"handlePlayChange",1);e([r("src")],t.prototype,"handleSrcChange",1);t.define("sl-animated-image");
