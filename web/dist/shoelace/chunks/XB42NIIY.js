import{a as I}from"./XAXJNFHH.js";import{a as p}from"./BLNORQY2.js";import{a as R}from"./A5WUC2DY.js";import{b,c as g,d,g as o,i as y,k as w,q as l,r as C,v as L}from"./O4KERCGA.js";var S=y`
  :host {
    display: inline-block;
    width: 1em;
    height: 1em;
    box-sizing: content-box !important;
  }

  svg {
    display: block;
    height: 100%;
    width: 100%;
  }
`;var n=Symbol(),h=Symbol(),f,v=new Map,a=class extends L{constructor(){super(...arguments),this.initialRender=!1,this.svg=null,this.label="",this.library="default"}async resolveIcon(e,r){var c;let t;if(r?.spriteSheet)return this.svg=w`<svg part="svg">
        <use part="use" href="${e}"></use>
      </svg>`,this.svg;try{if(t=await fetch(e,{mode:"cors"}),!t.ok)return t.status===410?n:h}catch{return h}try{let s=document.createElement("div");s.innerHTML=await t.text();let i=s.firstElementChild;if(((c=i?.tagName)==null?void 0:c.toLowerCase())!=="svg")return n;f||(f=new DOMParser);let m=f.parseFromString(i.outerHTML,"text/html").body.querySelector("svg");return m?(m.part.add("svg"),document.adoptNode(m)):n}catch{return n}}connectedCallback(){super.connectedCallback(),b(this)}firstUpdated(){this.initialRender=!0,this.setIcon()}disconnectedCallback(){super.disconnectedCallback(),g(this)}getIconSource(){let e=d(this.library);return this.name&&e?{url:e.resolver(this.name),fromLibrary:!0}:{url:this.src,fromLibrary:!1}}handleLabelChange(){typeof this.label=="string"&&this.label.length>0?(this.setAttribute("role","img"),this.setAttribute("aria-label",this.label),this.removeAttribute("aria-hidden")):(this.removeAttribute("role"),this.removeAttribute("aria-label"),this.setAttribute("aria-hidden","true"))}async setIcon(){var e;let{url:r,fromLibrary:c}=this.getIconSource(),t=c?d(this.library):void 0;if(!r){this.svg=null;return}let s=v.get(r);if(s||(s=this.resolveIcon(r,t),v.set(r,s)),!this.initialRender)return;let i=await s;if(i===h&&v.delete(r),r===this.getIconSource().url){if(I(i)){if(this.svg=i,t){await this.updateComplete;let u=this.shadowRoot.querySelector("[part='svg']");typeof t.mutator=="function"&&u&&t.mutator(u)}return}switch(i){case h:case n:this.svg=null,this.emit("sl-error");break;default:this.svg=i.cloneNode(!0),(e=t?.mutator)==null||e.call(t,this.svg),this.emit("sl-load")}}}render(){return this.svg}};a.styles=[R,S];o([C()],a.prototype,"svg",2);o([l({reflect:!0})],a.prototype,"name",2);o([l()],a.prototype,"src",2);o([l()],a.prototype,"label",2);o([l({reflect:!0})],a.prototype,"library",2);o([p("label")],a.prototype,"handleLabelChange",1);o([p(["name","src","library"])],a.prototype,"setIcon",1);export{a};
