import{a as _}from"../chunks/DLXJILGS.js";import{a as m}from"../chunks/M4CWRDKB.js";import{a as T}from"../chunks/HVGQT4YM.js";import{a as N}from"../chunks/RG4UT7WU.js";import{a as d}from"../chunks/BLNORQY2.js";import{a as C}from"../chunks/A5WUC2DY.js";import{g as o,i as b,k as w,q as n,t as z,v as I}from"../chunks/O4KERCGA.js";var k=b`
  :host {
    --divider-width: 4px;
    --divider-hit-area: 12px;
    --min: 0%;
    --max: 100%;

    display: grid;
  }

  .start,
  .end {
    overflow: hidden;
  }

  .divider {
    flex: 0 0 var(--divider-width);
    display: flex;
    position: relative;
    align-items: center;
    justify-content: center;
    background-color: var(--sl-color-neutral-200);
    color: var(--sl-color-neutral-900);
    z-index: 1;
  }

  .divider:focus {
    outline: none;
  }

  :host(:not([disabled])) .divider:focus-visible {
    background-color: var(--sl-color-primary-600);
    color: var(--sl-color-neutral-0);
  }

  :host([disabled]) .divider {
    cursor: not-allowed;
  }

  /* Horizontal */
  :host(:not([vertical], [disabled])) .divider {
    cursor: col-resize;
  }

  :host(:not([vertical])) .divider::after {
    display: flex;
    content: '';
    position: absolute;
    height: 100%;
    left: calc(var(--divider-hit-area) / -2 + var(--divider-width) / 2);
    width: var(--divider-hit-area);
  }

  /* Vertical */
  :host([vertical]) {
    flex-direction: column;
  }

  :host([vertical]:not([disabled])) .divider {
    cursor: row-resize;
  }

  :host([vertical]) .divider::after {
    content: '';
    position: absolute;
    width: 100%;
    top: calc(var(--divider-hit-area) / -2 + var(--divider-width) / 2);
    height: var(--divider-hit-area);
  }

  @media (forced-colors: active) {
    .divider {
      outline: solid 1px transparent;
    }
  }
`;var u=()=>null,s=class extends I{constructor(){super(...arguments),this.isCollapsed=!1,this.localize=new N(this),this.positionBeforeCollapsing=0,this.position=50,this.vertical=!1,this.disabled=!1,this.snapValue="",this.snapFunction=u,this.snapThreshold=12}toSnapFunction(i){let t=i.split(" ");return({pos:e,size:r,snapThreshold:a,isRtl:l,vertical:v})=>{let f=e,y=Number.POSITIVE_INFINITY;return t.forEach(p=>{let h;if(p.startsWith("repeat(")){let g=i.substring(7,i.length-1),$=g.endsWith("%"),x=Number.parseFloat(g),P=$?r*(x/100):x;h=Math.round((l&&!v?r-e:e)/P)*P}else p.endsWith("%")?h=r*(Number.parseFloat(p)/100):h=Number.parseFloat(p);l&&!v&&(h=r-h);let c=Math.abs(e-h);c<=a&&c<y&&(f=h,y=c)}),f}}set snap(i){this.snapValue=i??"",i?this.snapFunction=typeof i=="string"?this.toSnapFunction(i):i:this.snapFunction=u}get snap(){return this.snapValue}connectedCallback(){super.connectedCallback(),this.resizeObserver=new ResizeObserver(i=>this.handleResize(i)),this.updateComplete.then(()=>this.resizeObserver.observe(this)),this.detectSize(),this.cachedPositionInPixels=this.percentageToPixels(this.position)}disconnectedCallback(){var i;super.disconnectedCallback(),(i=this.resizeObserver)==null||i.unobserve(this)}detectSize(){let{width:i,height:t}=this.getBoundingClientRect();this.size=this.vertical?t:i}percentageToPixels(i){return this.size*(i/100)}pixelsToPercentage(i){return i/this.size*100}handleDrag(i){let t=this.localize.dir()==="rtl";this.disabled||(i.cancelable&&i.preventDefault(),_(this,{onMove:(e,r)=>{var a;let l=this.vertical?r:e;this.primary==="end"&&(l=this.size-l),l=(a=this.snapFunction({pos:l,size:this.size,snapThreshold:this.snapThreshold,isRtl:t,vertical:this.vertical}))!=null?a:l,this.position=m(this.pixelsToPercentage(l),0,100)},initialEvent:i}))}handleKeyDown(i){if(!this.disabled&&["ArrowLeft","ArrowRight","ArrowUp","ArrowDown","Home","End","Enter"].includes(i.key)){let t=this.position,e=(i.shiftKey?10:1)*(this.primary==="end"?-1:1);if(i.preventDefault(),(i.key==="ArrowLeft"&&!this.vertical||i.key==="ArrowUp"&&this.vertical)&&(t-=e),(i.key==="ArrowRight"&&!this.vertical||i.key==="ArrowDown"&&this.vertical)&&(t+=e),i.key==="Home"&&(t=this.primary==="end"?100:0),i.key==="End"&&(t=this.primary==="end"?0:100),i.key==="Enter")if(this.isCollapsed)t=this.positionBeforeCollapsing,this.isCollapsed=!1;else{let r=this.position;t=0,requestAnimationFrame(()=>{this.isCollapsed=!0,this.positionBeforeCollapsing=r})}this.position=m(t,0,100)}}handleResize(i){let{width:t,height:e}=i[0].contentRect;this.size=this.vertical?e:t,(isNaN(this.cachedPositionInPixels)||this.position===1/0)&&(this.cachedPositionInPixels=Number(this.getAttribute("position-in-pixels")),this.positionInPixels=Number(this.getAttribute("position-in-pixels")),this.position=this.pixelsToPercentage(this.positionInPixels)),this.primary&&(this.position=this.pixelsToPercentage(this.cachedPositionInPixels))}handlePositionChange(){this.cachedPositionInPixels=this.percentageToPixels(this.position),this.isCollapsed=!1,this.positionBeforeCollapsing=0,this.positionInPixels=this.percentageToPixels(this.position),this.emit("sl-reposition")}handlePositionInPixelsChange(){this.position=this.pixelsToPercentage(this.positionInPixels)}handleVerticalChange(){this.detectSize()}render(){let i=this.vertical?"gridTemplateRows":"gridTemplateColumns",t=this.vertical?"gridTemplateColumns":"gridTemplateRows",e=this.localize.dir()==="rtl",r=`
      clamp(
        0%,
        clamp(
          var(--min),
          ${this.position}% - var(--divider-width) / 2,
          var(--max)
        ),
        calc(100% - var(--divider-width))
      )
    `,a="auto";return this.primary==="end"?e&&!this.vertical?this.style[i]=`${r} var(--divider-width) ${a}`:this.style[i]=`${a} var(--divider-width) ${r}`:e&&!this.vertical?this.style[i]=`${a} var(--divider-width) ${r}`:this.style[i]=`${r} var(--divider-width) ${a}`,this.style[t]="",w`
      <slot name="start" part="panel start" class="start"></slot>

      <div
        part="divider"
        class="divider"
        tabindex=${T(this.disabled?void 0:"0")}
        role="separator"
        aria-valuenow=${this.position}
        aria-valuemin="0"
        aria-valuemax="100"
        aria-label=${this.localize.term("resize")}
        @keydown=${this.handleKeyDown}
        @mousedown=${this.handleDrag}
        @touchstart=${this.handleDrag}
      >
        <slot name="divider"></slot>
      </div>

      <slot name="end" part="panel end" class="end"></slot>
    `}};s.styles=[C,k];o([z(".divider")],s.prototype,"divider",2);o([n({type:Number,reflect:!0})],s.prototype,"position",2);o([n({attribute:"position-in-pixels",type:Number})],s.prototype,"positionInPixels",2);o([n({type:Boolean,reflect:!0})],s.prototype,"vertical",2);o([n({type:Boolean,reflect:!0})],s.prototype,"disabled",2);o([n()],s.prototype,"primary",2);o([n({reflect:!0})],s.prototype,"snap",1);o([n({type:Number,attribute:"snap-threshold"})],s.prototype,"snapThreshold",2);o([d("position")],s.prototype,"handlePositionChange",1);o([d("positionInPixels")],s.prototype,"handlePositionInPixelsChange",1);o([d("vertical")],s.prototype,"handleVerticalChange",1);s.define("sl-split-panel");
