import{a as ot}from"../chunks/73HEY3N5.js";import{a as D}from"../chunks/DLXJILGS.js";import{a as k}from"../chunks/QYGF772H.js";import{a as at}from"../chunks/CENP5U43.js";import{a as nt}from"../chunks/O3VDZBEA.js";import"../chunks/USYGS26U.js";import{a as it}from"../chunks/AW4HUW3P.js";import"../chunks/3FDRV65B.js";import"../chunks/XYQPOM4R.js";import{a as f}from"../chunks/M4CWRDKB.js";import{a as st}from"../chunks/W7UZYZHQ.js";import"../chunks/VUZI7XWU.js";import{a as rt}from"../chunks/K5RZBHXW.js";import"../chunks/S5UAHNU4.js";import"../chunks/T2OVLWW6.js";import"../chunks/DOSECAJH.js";import"../chunks/LPA5BX4B.js";import"../chunks/RTPEIJXL.js";import{a as M}from"../chunks/HVGQT4YM.js";import"../chunks/3THN4GLH.js";import{a as A}from"../chunks/ZUQFTHRF.js";import"../chunks/EGDOCAYS.js";import{a as tt}from"../chunks/RG4UT7WU.js";import{a as Q}from"../chunks/XB42NIIY.js";import"../chunks/XAXJNFHH.js";import{a as R}from"../chunks/BLNORQY2.js";import{a as et}from"../chunks/TSFVYURH.js";import{a as Y}from"../chunks/A5WUC2DY.js";import{g as u,i as X,k as v,q as p,r as y,s as Z,t as $,v as J}from"../chunks/O4KERCGA.js";var lt=X`
  :host {
    --grid-width: 280px;
    --grid-height: 200px;
    --grid-handle-size: 16px;
    --slider-height: 15px;
    --slider-handle-size: 17px;
    --swatch-size: 25px;

    display: inline-block;
  }

  .color-picker {
    width: var(--grid-width);
    font-family: var(--sl-font-sans);
    font-size: var(--sl-font-size-medium);
    font-weight: var(--sl-font-weight-normal);
    color: var(--color);
    background-color: var(--sl-panel-background-color);
    border-radius: var(--sl-border-radius-medium);
    user-select: none;
    -webkit-user-select: none;
  }

  .color-picker--inline {
    border: solid var(--sl-panel-border-width) var(--sl-panel-border-color);
  }

  .color-picker--inline:focus-visible {
    outline: var(--sl-focus-ring);
    outline-offset: var(--sl-focus-ring-offset);
  }

  .color-picker__grid {
    position: relative;
    height: var(--grid-height);
    background-image: linear-gradient(to bottom, rgba(0, 0, 0, 0) 0%, rgba(0, 0, 0, 1) 100%),
      linear-gradient(to right, #fff 0%, rgba(255, 255, 255, 0) 100%);
    border-top-left-radius: var(--sl-border-radius-medium);
    border-top-right-radius: var(--sl-border-radius-medium);
    cursor: crosshair;
    forced-color-adjust: none;
  }

  .color-picker__grid-handle {
    position: absolute;
    width: var(--grid-handle-size);
    height: var(--grid-handle-size);
    border-radius: 50%;
    box-shadow: 0 0 0 1px rgba(0, 0, 0, 0.25);
    border: solid 2px white;
    margin-top: calc(var(--grid-handle-size) / -2);
    margin-left: calc(var(--grid-handle-size) / -2);
    transition: var(--sl-transition-fast) scale;
  }

  .color-picker__grid-handle--dragging {
    cursor: none;
    scale: 1.5;
  }

  .color-picker__grid-handle:focus-visible {
    outline: var(--sl-focus-ring);
  }

  .color-picker__controls {
    padding: var(--sl-spacing-small);
    display: flex;
    align-items: center;
  }

  .color-picker__sliders {
    flex: 1 1 auto;
  }

  .color-picker__slider {
    position: relative;
    height: var(--slider-height);
    border-radius: var(--sl-border-radius-pill);
    box-shadow: inset 0 0 0 1px rgba(0, 0, 0, 0.2);
    forced-color-adjust: none;
  }

  .color-picker__slider:not(:last-of-type) {
    margin-bottom: var(--sl-spacing-small);
  }

  .color-picker__slider-handle {
    position: absolute;
    top: calc(50% - var(--slider-handle-size) / 2);
    width: var(--slider-handle-size);
    height: var(--slider-handle-size);
    background-color: white;
    border-radius: 50%;
    box-shadow: 0 0 0 1px rgba(0, 0, 0, 0.25);
    margin-left: calc(var(--slider-handle-size) / -2);
  }

  .color-picker__slider-handle:focus-visible {
    outline: var(--sl-focus-ring);
  }

  .color-picker__hue {
    background-image: linear-gradient(
      to right,
      rgb(255, 0, 0) 0%,
      rgb(255, 255, 0) 17%,
      rgb(0, 255, 0) 33%,
      rgb(0, 255, 255) 50%,
      rgb(0, 0, 255) 67%,
      rgb(255, 0, 255) 83%,
      rgb(255, 0, 0) 100%
    );
  }

  .color-picker__alpha .color-picker__alpha-gradient {
    position: absolute;
    top: 0;
    left: 0;
    width: 100%;
    height: 100%;
    border-radius: inherit;
  }

  .color-picker__preview {
    flex: 0 0 auto;
    display: inline-flex;
    align-items: center;
    justify-content: center;
    position: relative;
    width: 2.25rem;
    height: 2.25rem;
    border: none;
    border-radius: var(--sl-border-radius-circle);
    background: none;
    margin-left: var(--sl-spacing-small);
    cursor: copy;
    forced-color-adjust: none;
  }

  .color-picker__preview:before {
    content: '';
    position: absolute;
    top: 0;
    left: 0;
    width: 100%;
    height: 100%;
    border-radius: inherit;
    box-shadow: inset 0 0 0 1px rgba(0, 0, 0, 0.2);

    /* We use a custom property in lieu of currentColor because of https://bugs.webkit.org/show_bug.cgi?id=216780 */
    background-color: var(--preview-color);
  }

  .color-picker__preview:focus-visible {
    outline: var(--sl-focus-ring);
    outline-offset: var(--sl-focus-ring-offset);
  }

  .color-picker__preview-color {
    position: absolute;
    top: 0;
    left: 0;
    width: 100%;
    height: 100%;
    border: solid 1px rgba(0, 0, 0, 0.125);
  }

  .color-picker__preview-color--copied {
    animation: pulse 0.75s;
  }

  @keyframes pulse {
    0% {
      box-shadow: 0 0 0 0 var(--sl-color-primary-500);
    }
    70% {
      box-shadow: 0 0 0 0.5rem transparent;
    }
    100% {
      box-shadow: 0 0 0 0 transparent;
    }
  }

  .color-picker__user-input {
    display: flex;
    padding: 0 var(--sl-spacing-small) var(--sl-spacing-small) var(--sl-spacing-small);
  }

  .color-picker__user-input sl-input {
    min-width: 0; /* fix input width in Safari */
    flex: 1 1 auto;
  }

  .color-picker__user-input sl-button-group {
    margin-left: var(--sl-spacing-small);
  }

  .color-picker__user-input sl-button {
    min-width: 3.25rem;
    max-width: 3.25rem;
    font-size: 1rem;
  }

  .color-picker__swatches {
    display: grid;
    grid-template-columns: repeat(8, 1fr);
    grid-gap: 0.5rem;
    justify-items: center;
    border-top: solid 1px var(--sl-color-neutral-200);
    padding: var(--sl-spacing-small);
    forced-color-adjust: none;
  }

  .color-picker__swatch {
    position: relative;
    width: var(--swatch-size);
    height: var(--swatch-size);
    border-radius: var(--sl-border-radius-small);
  }

  .color-picker__swatch .color-picker__swatch-color {
    position: absolute;
    top: 0;
    left: 0;
    width: 100%;
    height: 100%;
    border: solid 1px rgba(0, 0, 0, 0.125);
    border-radius: inherit;
    cursor: pointer;
  }

  .color-picker__swatch:focus-visible {
    outline: var(--sl-focus-ring);
    outline-offset: var(--sl-focus-ring-offset);
  }

  .color-picker__transparent-bg {
    background-image: linear-gradient(45deg, var(--sl-color-neutral-300) 25%, transparent 25%),
      linear-gradient(45deg, transparent 75%, var(--sl-color-neutral-300) 75%),
      linear-gradient(45deg, transparent 75%, var(--sl-color-neutral-300) 75%),
      linear-gradient(45deg, var(--sl-color-neutral-300) 25%, transparent 25%);
    background-size: 10px 10px;
    background-position:
      0 0,
      0 0,
      -5px -5px,
      5px 5px;
  }

  .color-picker--disabled {
    opacity: 0.5;
    cursor: not-allowed;
  }

  .color-picker--disabled .color-picker__grid,
  .color-picker--disabled .color-picker__grid-handle,
  .color-picker--disabled .color-picker__slider,
  .color-picker--disabled .color-picker__slider-handle,
  .color-picker--disabled .color-picker__preview,
  .color-picker--disabled .color-picker__swatch,
  .color-picker--disabled .color-picker__swatch-color {
    pointer-events: none;
  }

  /*
   * Color dropdown
   */

  .color-dropdown::part(panel) {
    max-height: none;
    background-color: var(--sl-panel-background-color);
    border: solid var(--sl-panel-border-width) var(--sl-panel-border-color);
    border-radius: var(--sl-border-radius-medium);
    overflow: visible;
  }

  .color-dropdown__trigger {
    display: inline-block;
    position: relative;
    background-color: transparent;
    border: none;
    cursor: pointer;
    forced-color-adjust: none;
  }

  .color-dropdown__trigger.color-dropdown__trigger--small {
    width: var(--sl-input-height-small);
    height: var(--sl-input-height-small);
    border-radius: var(--sl-border-radius-circle);
  }

  .color-dropdown__trigger.color-dropdown__trigger--medium {
    width: var(--sl-input-height-medium);
    height: var(--sl-input-height-medium);
    border-radius: var(--sl-border-radius-circle);
  }

  .color-dropdown__trigger.color-dropdown__trigger--large {
    width: var(--sl-input-height-large);
    height: var(--sl-input-height-large);
    border-radius: var(--sl-border-radius-circle);
  }

  .color-dropdown__trigger:before {
    content: '';
    position: absolute;
    top: 0;
    left: 0;
    width: 100%;
    height: 100%;
    border-radius: inherit;
    background-color: currentColor;
    box-shadow:
      inset 0 0 0 2px var(--sl-input-border-color),
      inset 0 0 0 4px var(--sl-color-neutral-0);
  }

  .color-dropdown__trigger--empty:before {
    background-color: transparent;
  }

  .color-dropdown__trigger:focus-visible {
    outline: none;
  }

  .color-dropdown__trigger:focus-visible:not(.color-dropdown__trigger--disabled) {
    outline: var(--sl-focus-ring);
    outline-offset: var(--sl-focus-ring-offset);
  }

  .color-dropdown__trigger.color-dropdown__trigger--disabled {
    opacity: 0.5;
    cursor: not-allowed;
  }
`;function c(t,e){Mt(t)&&(t="100%");let r=ht(t);return t=e===360?parseFloat(t):Math.min(e,Math.max(0,parseFloat(t))),r&&(t=parseInt(String(t*e),10)/100),Math.abs(t-e)<1e-6?1:(e===360?t=(t<0?t%e+e:t%e)/e:t=t%e/e,t)}function _(t){return Math.min(1,Math.max(0,t))}function Mt(t){return typeof t=="string"&&t.indexOf(".")!==-1&&!ht(t)&&parseFloat(t)===1}function ht(t){return typeof t=="string"&&t.indexOf("%")!==-1}function E(t){return t=typeof t=="string"&&t.trim().endsWith("%")?parseFloat(t)/100:parseFloat(t),(isNaN(t)||t<0||t>1)&&(t=1),t}function Ct(t){return Number(t)<=1?`${Number(t)*100}%`:t}function C(t){if(typeof t!="number"||!(t<=1))return Ct(t);let e=Math.min(100,Math.max(0,t*100))*100;return(e>=1e-6?Math.trunc(e):parseInt(String(e),10))/100}function ut(t){return t.length===1?"0"+t:String(t)}function ft(t,e,r){return{r:c(t,255)*255,g:c(e,255)*255,b:c(r,255)*255}}function L(t,e,r){t=c(t,255),e=c(e,255),r=c(r,255);let i=Math.max(t,e,r),s=Math.min(t,e,r),o=0,a,n=(i+s)/2;if(i===s)a=0,o=0;else{let l=i-s;switch(a=n>.5?l/(2-i-s):l/(i+s),i){case t:o=(e-r)/l+(e<r?6:0);break;case e:o=(r-t)/l+2;break;case r:o=(t-e)/l+4;break;default:break}o/=6}return{h:o,s:a,l:n}}function I(t,e,r){return r<0&&(r+=1),r>1&&(r-=1),r<1/6?t+(e-t)*(6*r):r<1/2?e:r<2/3?t+(e-t)*(2/3-r)*6:t}function gt(t,e,r){let i,s,o;if(t=c(t,360),e=c(e,100),r=c(r,100),e===0)s=r,o=r,i=r;else{let a=r<.5?r*(1+e):r+e-r*e,n=2*r-a;i=I(n,a,t+1/3),s=I(n,a,t),o=I(n,a,t-1/3)}return{r:i*255,g:s*255,b:o*255}}function P(t,e,r){t=c(t,255),e=c(e,255),r=c(r,255);let i=Math.max(t,e,r),s=Math.min(t,e,r),o=0,a=i,n=i-s,l=i===0?0:n/i;if(i===s)o=0;else{switch(i){case t:o=(e-r)/n+(e<r?6:0);break;case e:o=(r-t)/n+2;break;case r:o=(t-e)/n+4;break;default:break}o/=6}return{h:o,s:l,v:a}}function bt(t,e,r){t=c(t,360)*6,e=c(e,100),r=c(r,100);let i=Math.floor(t),s=t-i,o=r*(1-e),a=r*(1-s*e),n=r*(1-(1-s)*e),l=i%6,m=[r,a,o,o,n,r][l],b=[n,r,r,a,o,o][l],T=[o,o,n,r,r,a][l];return{r:m*255,g:b*255,b:T*255}}function ct(t){return t<10?48+t:87+t}function x(t){let e=Math.round(t);return e>=0&&e<=255?String.fromCharCode(ct(e>>4),ct(e&15)):ut(e.toString(16))}function St(t){return x(parseFloat(t)*255)}function O(t,e,r,i){let s=x(t),o=x(e),a=x(r);return i&&s.startsWith(s.charAt(1))&&o.startsWith(o.charAt(1))&&a.startsWith(a.charAt(1))?s.charAt(0)+o.charAt(0)+a.charAt(0):s+o+a}function mt(t,e,r,i,s){let o=x(t),a=x(e),n=x(r),l=St(i);return s&&o.startsWith(o.charAt(1))&&a.startsWith(a.charAt(1))&&n.startsWith(n.charAt(1))&&l.startsWith(l.charAt(1))?o.charAt(0)+a.charAt(0)+n.charAt(0)+l.charAt(0):o+a+n+l}function vt(t,e,r,i){let s=t/100,o=e/100,a=r/100,n=i/100,l=255*(1-s)*(1-n),m=255*(1-o)*(1-n),b=255*(1-a)*(1-n);return{r:l,g:m,b}}function q(t,e,r){let i=1-t/255,s=1-e/255,o=1-r/255,a=Math.min(i,s,o);return a===1?(i=0,s=0,o=0):(i=(i-a)/(1-a)*100,s=(s-a)/(1-a)*100,o=(o-a)/(1-a)*100),a*=100,{c:Math.round(i),m:Math.round(s),y:Math.round(o),k:Math.round(a)}}function yt(t,e,r){let[i,s,o]=_t(F(t/255),F(e/255),F(r/255)),a=Math.sqrt(s*s+o*o);if(a<=4e-6)return{l:Math.min(1,i),c:0,h:0};let n=Math.atan2(o,s)*180/Math.PI;return{l:Math.min(1,i),c:a,h:n<0?n+360:n}}function kt(t,e,r){if(t>=1)return{r:255,g:255,b:255};if(t<=0)return{r:0,g:0,b:0};let i=r*Math.PI/180,s=Math.cos(i),o=Math.sin(i),a=Math.max(0,e),n=z(t,a*s,a*o);return wt(n)||(n=Ht(t,a,s,o)),{r:B(n[0])*255,g:B(n[1])*255,b:B(n[2])*255}}function Ht(t,e,r,i){let a=pt(z(t,e*r,e*i));if(dt(t,e*r,e*i,a)<.02)return a;let n=0,l=e,m=!0;for(;l-n>1e-4;){let b=(n+l)/2,T=z(t,b*r,b*i);if(m&&wt(T)){n=b;continue}a=pt(T);let K=dt(t,b*r,b*i,a);if(K<.02){if(.02-K<1e-4)break;m=!1,n=b}else l=b}return a}function dt(t,e,r,i){let[s,o,a]=_t(i[0],i[1],i[2]),n=t-s,l=e-o,m=r-a;return Math.sqrt(n*n+l*l+m*m)}function wt(t){return t[0]>=0&&t[0]<=1&&t[1]>=0&&t[1]<=1&&t[2]>=0&&t[2]<=1}function pt(t){return[Math.min(1,Math.max(0,t[0])),Math.min(1,Math.max(0,t[1])),Math.min(1,Math.max(0,t[2]))]}function F(t){return t<=.04045?t/12.92:((t+.055)/1.055)**2.4}function B(t){return t<=.0031308?t*12.92:1.055*t**(1/2.4)-.055}function _t(t,e,r){let i=Math.cbrt(.41222146947076305*t+.5363325372617348*e+.05144599326750221*r),s=Math.cbrt(.21190349581782522*t+.6806995506452344*e+.10739695353694056*r),o=Math.cbrt(.08830245919005643*t+.2817188391361215*e+.6299787016738222*r);return[.210454268309314*i+.7936177747023054*s-.0040720430116193*o,1.9779985324311684*i-2.42859224204858*s+.450593709617411*o,.0259040424655478*i+.7827717124575296*s-.8086757549230774*o]}function z(t,e,r){let i=t+.3963377773761749*e+.2158037573099136*r,s=t-.1055613458156586*e-.0638541728258133*r,o=t-.0894841775298119*e-1.2914855480194092*r,a=i*i*i,n=s*s*s,l=o*o*o;return[4.076741636075958*a-3.3077115392580616*n+.2309699031821043*l,-1.2684379732850317*a+2.6097573492876887*n-.34131937600265727*l,-.004196076138675564*a-.7034186179359363*n+1.7076146940746117*l]}function xt(t){return{r:t>>16,g:(t&65280)>>8,b:t&255}}var S={aliceblue:"#f0f8ff",antiquewhite:"#faebd7",aqua:"#00ffff",aquamarine:"#7fffd4",azure:"#f0ffff",beige:"#f5f5dc",bisque:"#ffe4c4",black:"#000000",blanchedalmond:"#ffebcd",blue:"#0000ff",blueviolet:"#8a2be2",brown:"#a52a2a",burlywood:"#deb887",cadetblue:"#5f9ea0",chartreuse:"#7fff00",chocolate:"#d2691e",coral:"#ff7f50",cornflowerblue:"#6495ed",cornsilk:"#fff8dc",crimson:"#dc143c",cyan:"#00ffff",darkblue:"#00008b",darkcyan:"#008b8b",darkgoldenrod:"#b8860b",darkgray:"#a9a9a9",darkgreen:"#006400",darkgrey:"#a9a9a9",darkkhaki:"#bdb76b",darkmagenta:"#8b008b",darkolivegreen:"#556b2f",darkorange:"#ff8c00",darkorchid:"#9932cc",darkred:"#8b0000",darksalmon:"#e9967a",darkseagreen:"#8fbc8f",darkslateblue:"#483d8b",darkslategray:"#2f4f4f",darkslategrey:"#2f4f4f",darkturquoise:"#00ced1",darkviolet:"#9400d3",deeppink:"#ff1493",deepskyblue:"#00bfff",dimgray:"#696969",dimgrey:"#696969",dodgerblue:"#1e90ff",firebrick:"#b22222",floralwhite:"#fffaf0",forestgreen:"#228b22",fuchsia:"#ff00ff",gainsboro:"#dcdcdc",ghostwhite:"#f8f8ff",goldenrod:"#daa520",gold:"#ffd700",gray:"#808080",green:"#008000",greenyellow:"#adff2f",grey:"#808080",honeydew:"#f0fff0",hotpink:"#ff69b4",indianred:"#cd5c5c",indigo:"#4b0082",ivory:"#fffff0",khaki:"#f0e68c",lavenderblush:"#fff0f5",lavender:"#e6e6fa",lawngreen:"#7cfc00",lemonchiffon:"#fffacd",lightblue:"#add8e6",lightcoral:"#f08080",lightcyan:"#e0ffff",lightgoldenrodyellow:"#fafad2",lightgray:"#d3d3d3",lightgreen:"#90ee90",lightgrey:"#d3d3d3",lightpink:"#ffb6c1",lightsalmon:"#ffa07a",lightseagreen:"#20b2aa",lightskyblue:"#87cefa",lightslategray:"#778899",lightslategrey:"#778899",lightsteelblue:"#b0c4de",lightyellow:"#ffffe0",lime:"#00ff00",limegreen:"#32cd32",linen:"#faf0e6",magenta:"#ff00ff",maroon:"#800000",mediumaquamarine:"#66cdaa",mediumblue:"#0000cd",mediumorchid:"#ba55d3",mediumpurple:"#9370db",mediumseagreen:"#3cb371",mediumslateblue:"#7b68ee",mediumspringgreen:"#00fa9a",mediumturquoise:"#48d1cc",mediumvioletred:"#c71585",midnightblue:"#191970",mintcream:"#f5fffa",mistyrose:"#ffe4e1",moccasin:"#ffe4b5",navajowhite:"#ffdead",navy:"#000080",oldlace:"#fdf5e6",olive:"#808000",olivedrab:"#6b8e23",orange:"#ffa500",orangered:"#ff4500",orchid:"#da70d6",palegoldenrod:"#eee8aa",palegreen:"#98fb98",paleturquoise:"#afeeee",palevioletred:"#db7093",papayawhip:"#ffefd5",peachpuff:"#ffdab9",peru:"#cd853f",pink:"#ffc0cb",plum:"#dda0dd",powderblue:"#b0e0e6",purple:"#800080",rebeccapurple:"#663399",red:"#ff0000",rosybrown:"#bc8f8f",royalblue:"#4169e1",saddlebrown:"#8b4513",salmon:"#fa8072",sandybrown:"#f4a460",seagreen:"#2e8b57",seashell:"#fff5ee",sienna:"#a0522d",silver:"#c0c0c0",skyblue:"#87ceeb",slateblue:"#6a5acd",slategray:"#708090",slategrey:"#708090",snow:"#fffafa",springgreen:"#00ff7f",steelblue:"#4682b4",tan:"#d2b48c",teal:"#008080",thistle:"#d8bfd8",tomato:"#ff6347",turquoise:"#40e0d0",violet:"#ee82ee",wheat:"#f5deb3",white:"#ffffff",whitesmoke:"#f5f5f5",yellow:"#ffff00",yellowgreen:"#9acd32"};function G(t){let e={r:0,g:0,b:0},r=1,i=!1,s=!1,o;if(typeof t=="string"&&(t=Et(t)),typeof t=="object"){if(d(t.r)&&d(t.g)&&d(t.b)){e=ft(t.r,t.g,t.b),i=!0;let{r:a}=t;s=typeof a!="number"&&String(a).endsWith("%")?"prgb":"rgb"}else if(d(t.h)&&d(t.s)&&d(t.v)){let a=C(t.s),n=C(t.v);e=bt(t.h,a,n),i=!0,s="hsv"}else if(d(t.h)&&d(t.s)&&d(t.l)){let a=C(t.s),n=C(t.l);e=gt(t.h,a,n),i=!0,s="hsl"}else if(d(t.l)&&d(t.c)&&d(t.h)){let a=Vt(t.l),n=Nt(t.c),l=Tt(t.h);Number.isFinite(a+n+l)&&(o={l:a,c:n,h:l},e=kt(a,n,l),i=!0,s="oklch")}else d(t.c)&&d(t.m)&&d(t.y)&&d(t.k)&&(e=vt(t.c,t.m,t.y,t.k),i=!0,s="cmyk");Object.prototype.hasOwnProperty.call(t,"a")&&(r=t.a)}return r=E(r),{ok:i,format:t.format||s,r:Math.min(255,Math.max(e.r,0)),g:Math.min(255,Math.max(e.g,0)),b:Math.min(255,Math.max(e.b,0)),a:r,oklch:o}}function Vt(t){return _(typeof t=="number"?t:U(t,1,!1))}function Nt(t){return Math.max(0,typeof t=="number"?t:U(t,.4,!1))}function Tt(t){let r=(typeof t=="number"?t:U(t,NaN,!0))%360;return r<0?r+360:Math.abs(r)}function U(t,e,r){let i=/^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)([a-z%]*)$/.exec(t.trim().toLowerCase());return i?H(Number(i[1]),i[2],e,r):NaN}function H(t,e,r,i){switch(e){case"":return t;case"%":return i?NaN:t/100*r;case"deg":return i?t:NaN;case"grad":return i?t*.9:NaN;case"rad":return i?t*180/Math.PI:NaN;case"turn":return i?t*360:NaN;default:return NaN}}var Rt="[-\\+]?\\d+%?",At="[-\\+]?\\d*\\.\\d+%?",w="(?:"+At+")|(?:"+Rt+")",j="[\\s|\\(]+("+w+")[,|\\s]+("+w+")[,|\\s]+("+w+")(?:[,|\\s|/]+("+w+"))?\\s*\\)?",Dt="[\\s|\\(]+("+w+")[,|\\s]+("+w+")[,|\\s]+("+w+")[,|\\s]+("+w+")\\s*\\)?",V={CSS_UNIT:new RegExp(w),rgb:new RegExp("rgba?"+j),hsl:new RegExp("hsla?"+j),hsv:new RegExp("hsva?"+j),cmyk:new RegExp("cmyk"+Dt)};function Et(t){if(t=t.trim().toLowerCase(),t.length===0)return!1;if(t.startsWith("oklch"))return It(t);let e=!1;if(S[t])t=S[t],e=!0;else if(t==="transparent")return{r:0,g:0,b:0,a:0,format:"name"};if(typeof t=="string"&&t.length<=9){let i=Ft(t,e);if(i)return i}let r=V.rgb.exec(t);return r?r[4]===void 0?{r:r[1],g:r[2],b:r[3]}:{r:r[1],g:r[2],b:r[3],a:r[4]}:(r=V.hsl.exec(t),r?r[4]===void 0?{h:r[1],s:r[2],l:r[3]}:{h:r[1],s:r[2],l:r[3],a:r[4]}:(r=V.hsv.exec(t),r?r[4]===void 0?{h:r[1],s:r[2],v:r[3]}:{h:r[1],s:r[2],v:r[3],a:r[4]}:(r=V.cmyk.exec(t),r?{c:r[1],m:r[2],y:r[3],k:r[4]}:!1)))}function It(t){let e=/^oklch(?:\s*\(\s*|\s+)(?:none|([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(%?))[\s,]+(?:none|([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(%?))[\s,]+(?:none|([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(deg|grad|rad|turn)?)(?:(?:\s*[,/]\s*|\s+)(none|([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(%?)))?\s*\)?$/.exec(t);if(!e)return!1;let r=e[1]===void 0?0:H(Number(e[1]),e[2],1,!1),i=e[3]===void 0?0:H(Number(e[3]),e[4],.4,!1),s=e[5]===void 0?0:H(Number(e[5]),e[6]??"",NaN,!0);if(e[7]===void 0)return{l:r,c:i,h:s};let o=e[8]===void 0?0:H(Number(e[8]),e[9],1,!1);return{l:r,c:i,h:s,a:o}}function Ft(t,e){let r=t.startsWith("#")?1:0,i=t.length-r;if(i===6||i===8){let s=g(t,r)*16+g(t,r+1),o=g(t,r+2)*16+g(t,r+3),a=g(t,r+4)*16+g(t,r+5);if(i===6)return Number.isNaN(s+o+a)?void 0:{r:s,g:o,b:a,format:e?"name":"hex"};let n=g(t,r+6)*16+g(t,r+7);return Number.isNaN(s+o+a+n)?void 0:{r:s,g:o,b:a,a:n/255,format:e?"name":"hex8"}}if(i===3||i===4){let s=g(t,r)*17,o=g(t,r+1)*17,a=g(t,r+2)*17;if(i===3)return Number.isNaN(s+o+a)?void 0:{r:s,g:o,b:a,format:e?"name":"hex"};let n=g(t,r+3)*17;return Number.isNaN(s+o+a+n)?void 0:{r:s,g:o,b:a,a:n/255,format:e?"name":"hex8"}}}function g(t,e){let r=t.charCodeAt(e);return r>=48&&r<=57?r-48:r>=97&&r<=102?r-87:r>=65&&r<=70?r-55:NaN}function d(t){return typeof t=="number"?!Number.isNaN(t):t===void 0?!1:V.CSS_UNIT.test(t)}var N=class t{constructor(e="",r={}){if(e instanceof t)return e;typeof e=="number"&&(e=xt(e)),this.originalInput=e;let i=G(e);this.originalInput=e,this.r=i.r,this.g=i.g,this.b=i.b,this.a=i.a,this.roundA=Math.round(100*this.a)/100,this.format=r.format??i.format,this.gradientType=r.gradientType,this.r<1&&(this.r=Math.round(this.r)),this.g<1&&(this.g=Math.round(this.g)),this.b<1&&(this.b=Math.round(this.b)),this.isValid=i.ok}isDark(e=128){return this.getBrightness()<e}isLight(e=128){return!this.isDark(e)}getBrightness(){let e=this.toRgb();return(e.r*299+e.g*587+e.b*114)/1e3}getLuminance(){let e=this.toRgb(),r,i,s,o=e.r/255,a=e.g/255,n=e.b/255;return o<=.03928?r=o/12.92:r=Math.pow((o+.055)/1.055,2.4),a<=.03928?i=a/12.92:i=Math.pow((a+.055)/1.055,2.4),n<=.03928?s=n/12.92:s=Math.pow((n+.055)/1.055,2.4),.2126*r+.7152*i+.0722*s}getAlpha(){return this.a}setAlpha(e){return this.a=E(e),this.roundA=Math.round(100*this.a)/100,this}isMonochrome(){let{s:e}=this.toHsl();return e===0}toHsv(){let e=P(this.r,this.g,this.b);return{h:e.h*360,s:e.s,v:e.v,a:this.a}}toHsvString(){let e=P(this.r,this.g,this.b),r=Math.round(e.h*360),i=Math.round(e.s*100),s=Math.round(e.v*100);return this.a===1?`hsv(${r}, ${i}%, ${s}%)`:`hsva(${r}, ${i}%, ${s}%, ${this.roundA})`}toHsl(){let e=L(this.r,this.g,this.b);return{h:e.h*360,s:e.s,l:e.l,a:this.a}}toHslString(){let e=L(this.r,this.g,this.b),r=Math.round(e.h*360),i=Math.round(e.s*100),s=Math.round(e.l*100);return this.a===1?`hsl(${r}, ${i}%, ${s}%)`:`hsla(${r}, ${i}%, ${s}%, ${this.roundA})`}toOklch(){if(Bt(this.originalInput)){let s=G(this.originalInput);if(s.oklch&&W(s.r)===this.r&&W(s.g)===this.g&&W(s.b)===this.b){let{l:o,c:a,h:n}=s.oklch;return{l:o,c:a,h:n,a:this.a}}}let{l:e,c:r,h:i}=yt(this.r,this.g,this.b);return{l:e,c:r,h:i,a:this.a}}toOklchString(){let{l:e,c:r,h:i}=this.toOklch(),s=Math.round(e*1e5)/1e3,o=Math.round(r*1e5)/1e5,a=Math.round(i*1e3)/1e3%360,n=this.a===1?"":` / ${this.roundA}`;return`oklch(${s}% ${o} ${a}${n})`}toHex(e=!1){return O(this.r,this.g,this.b,e)}toHexString(e=!1){return"#"+this.toHex(e)}toHex8(e=!1){return mt(this.r,this.g,this.b,this.a,e)}toHex8String(e=!1){return"#"+this.toHex8(e)}toHexShortString(e=!1){return this.a===1?this.toHexString(e):this.toHex8String(e)}toRgb(){return{r:Math.round(this.r),g:Math.round(this.g),b:Math.round(this.b),a:this.a}}toRgbString(){let e=Math.round(this.r),r=Math.round(this.g),i=Math.round(this.b);return this.a===1?`rgb(${e}, ${r}, ${i})`:`rgba(${e}, ${r}, ${i}, ${this.roundA})`}toPercentageRgb(){let e=r=>`${Math.round(c(r,255)*100)}%`;return{r:e(this.r),g:e(this.g),b:e(this.b),a:this.a}}toRgbRatio(){return{r:this.r/255,g:this.g/255,b:this.b/255,a:this.a}}toPercentageRgbString(){let e=r=>Math.round(c(r,255)*100);return this.a===1?`rgb(${e(this.r)}%, ${e(this.g)}%, ${e(this.b)}%)`:`rgba(${e(this.r)}%, ${e(this.g)}%, ${e(this.b)}%, ${this.roundA})`}toCmyk(){return{...q(this.r,this.g,this.b)}}toCmykString(){let{c:e,m:r,y:i,k:s}=q(this.r,this.g,this.b);return`cmyk(${e}, ${r}, ${i}, ${s})`}toName(){if(this.a===0)return"transparent";if(this.a<1)return!1;let e="#"+O(this.r,this.g,this.b,!1),r=S;for(let i in r)if(Object.prototype.hasOwnProperty.call(r,i)&&r[i]===e)return i;return!1}toString(e){let r=!!e;e=e??this.format;let i=!1,s=this.a<1&&this.a>=0;return!r&&s&&typeof e=="string"&&(e.startsWith("hex")||e==="name")?e==="name"&&this.a===0?this.toName():this.toRgbString():(e==="rgb"&&(i=this.toRgbString()),e==="prgb"&&(i=this.toPercentageRgbString()),(e==="hex"||e==="hex6")&&(i=this.toHexString()),e==="hex3"&&(i=this.toHexString(!0)),e==="hex4"&&(i=this.toHex8String(!0)),e==="hex8"&&(i=this.toHex8String()),e==="name"&&(i=this.toName()),e==="hsl"&&(i=this.toHslString()),e==="hsv"&&(i=this.toHsvString()),e==="oklch"&&(i=this.toOklchString()),e==="cmyk"&&(i=this.toCmykString()),i||this.toHexString())}toNumber(){return(Math.round(this.r)<<16)+(Math.round(this.g)<<8)+Math.round(this.b)}clone(){return new t(this.toString())}lighten(e=10){let r=this.toHsl();return r.l+=e/100,r.l=_(r.l),new t(r)}brighten(e=10){let r=this.toRgb();return r.r=Math.max(0,Math.min(255,r.r-Math.round(255*-(e/100)))),r.g=Math.max(0,Math.min(255,r.g-Math.round(255*-(e/100)))),r.b=Math.max(0,Math.min(255,r.b-Math.round(255*-(e/100)))),new t(r)}darken(e=10){let r=this.toHsl();return r.l-=e/100,r.l=_(r.l),new t(r)}tint(e=10){return this.mix("white",e)}shade(e=10){return this.mix("black",e)}desaturate(e=10){let r=this.toHsl();return r.s-=e/100,r.s=_(r.s),new t(r)}saturate(e=10){let r=this.toHsl();return r.s+=e/100,r.s=_(r.s),new t(r)}greyscale(){return this.desaturate(100)}spin(e){let r=this.toHsl(),i=(r.h+e)%360;return r.h=i<0?360+i:i,new t(r)}mix(e,r=50){let i=this.toRgb(),s=new t(e).toRgb(),o=r/100,a={r:(s.r-i.r)*o+i.r,g:(s.g-i.g)*o+i.g,b:(s.b-i.b)*o+i.b,a:(s.a-i.a)*o+i.a};return new t(a)}analogous(e=6,r=30){let i=this.toHsl(),s=360/r,o=[this];for(i.h=(i.h-(s*e>>1)+720)%360;--e;)i.h=(i.h+s)%360,o.push(new t(i));return o}complement(){let e=this.toHsl();return e.h=(e.h+180)%360,new t(e)}monochromatic(e=6){let r=this.toHsv(),{h:i}=r,{s}=r,{v:o}=r,a=[],n=1/e;for(;e--;)a.push(new t({h:i,s,v:o})),o=(o+n)%1;return a}splitcomplement(){let e=this.toHsl(),{h:r}=e;return[this,new t({h:(r+72)%360,s:e.s,l:e.l}),new t({h:(r+216)%360,s:e.s,l:e.l})]}onBackground(e){let r=this.toRgb(),i=new t(e).toRgb(),s=r.a+i.a*(1-r.a);return new t({r:(r.r*r.a+i.r*i.a*(1-r.a))/s,g:(r.g*r.a+i.g*i.a*(1-r.a))/s,b:(r.b*r.a+i.b*i.a*(1-r.a))/s,a:s})}triad(){return this.polyad(3)}tetrad(){return this.polyad(4)}polyad(e){let r=this.toHsl(),{h:i}=r,s=[this],o=360/e;for(let a=1;a<e;a++)s.push(new t({h:(i+a*o)%360,s:r.s,l:r.l}));return s}equals(e){let r=new t(e);return this.format==="cmyk"||r.format==="cmyk"?this.toCmykString()===r.toCmykString():this.toRgbString()===r.toRgbString()}};function W(t){return t<1?Math.round(t):t}function Bt(t){return typeof t=="string"?t.length>=11&&/^\s*oklch/i.test(t):typeof t=="object"&&"l"in t&&"c"in t&&"h"in t}var $t="EyeDropper"in window,h=class extends J{constructor(){super(),this.formControlController=new rt(this),this.isSafeValue=!1,this.localize=new tt(this),this.hasFocus=!1,this.isDraggingGridHandle=!1,this.isEmpty=!1,this.inputValue="",this.hue=0,this.saturation=100,this.brightness=100,this.alpha=100,this.value="",this.defaultValue="",this.label="",this.format="hex",this.inline=!1,this.size="medium",this.noFormatToggle=!1,this.name="",this.disabled=!1,this.hoist=!1,this.opacity=!1,this.uppercase=!1,this.swatches="",this.form="",this.required=!1,this.handleFocusIn=()=>{this.hasFocus=!0,this.emit("sl-focus")},this.handleFocusOut=()=>{this.hasFocus=!1,this.emit("sl-blur")},this.addEventListener("focusin",this.handleFocusIn),this.addEventListener("focusout",this.handleFocusOut)}get validity(){return this.input.validity}get validationMessage(){return this.input.validationMessage}firstUpdated(){this.input.updateComplete.then(()=>{this.formControlController.updateValidity()})}handleCopy(){this.input.select(),document.execCommand("copy"),this.previewButton.focus(),this.previewButton.classList.add("color-picker__preview-color--copied"),this.previewButton.addEventListener("animationend",()=>{this.previewButton.classList.remove("color-picker__preview-color--copied")})}handleFormatToggle(){let t=["hex","rgb","hsl","hsv"],e=(t.indexOf(this.format)+1)%t.length;this.format=t[e],this.setColor(this.value),this.emit("sl-change"),this.emit("sl-input")}handleAlphaDrag(t){let e=this.shadowRoot.querySelector(".color-picker__slider.color-picker__alpha"),r=e.querySelector(".color-picker__slider-handle"),{width:i}=e.getBoundingClientRect(),s=this.value,o=this.value;r.focus(),t.preventDefault(),D(e,{onMove:a=>{this.alpha=f(a/i*100,0,100),this.syncValues(),this.value!==o&&(o=this.value,this.emit("sl-input"))},onStop:()=>{this.value!==s&&(s=this.value,this.emit("sl-change"))},initialEvent:t})}handleHueDrag(t){let e=this.shadowRoot.querySelector(".color-picker__slider.color-picker__hue"),r=e.querySelector(".color-picker__slider-handle"),{width:i}=e.getBoundingClientRect(),s=this.value,o=this.value;r.focus(),t.preventDefault(),D(e,{onMove:a=>{this.hue=f(a/i*360,0,360),this.syncValues(),this.value!==o&&(o=this.value,this.emit("sl-input"))},onStop:()=>{this.value!==s&&(s=this.value,this.emit("sl-change"))},initialEvent:t})}handleGridDrag(t){let e=this.shadowRoot.querySelector(".color-picker__grid"),r=e.querySelector(".color-picker__grid-handle"),{width:i,height:s}=e.getBoundingClientRect(),o=this.value,a=this.value;r.focus(),t.preventDefault(),this.isDraggingGridHandle=!0,D(e,{onMove:(n,l)=>{this.saturation=f(n/i*100,0,100),this.brightness=f(100-l/s*100,0,100),this.syncValues(),this.value!==a&&(a=this.value,this.emit("sl-input"))},onStop:()=>{this.isDraggingGridHandle=!1,this.value!==o&&(o=this.value,this.emit("sl-change"))},initialEvent:t})}handleAlphaKeyDown(t){let e=t.shiftKey?10:1,r=this.value;t.key==="ArrowLeft"&&(t.preventDefault(),this.alpha=f(this.alpha-e,0,100),this.syncValues()),t.key==="ArrowRight"&&(t.preventDefault(),this.alpha=f(this.alpha+e,0,100),this.syncValues()),t.key==="Home"&&(t.preventDefault(),this.alpha=0,this.syncValues()),t.key==="End"&&(t.preventDefault(),this.alpha=100,this.syncValues()),this.value!==r&&(this.emit("sl-change"),this.emit("sl-input"))}handleHueKeyDown(t){let e=t.shiftKey?10:1,r=this.value;t.key==="ArrowLeft"&&(t.preventDefault(),this.hue=f(this.hue-e,0,360),this.syncValues()),t.key==="ArrowRight"&&(t.preventDefault(),this.hue=f(this.hue+e,0,360),this.syncValues()),t.key==="Home"&&(t.preventDefault(),this.hue=0,this.syncValues()),t.key==="End"&&(t.preventDefault(),this.hue=360,this.syncValues()),this.value!==r&&(this.emit("sl-change"),this.emit("sl-input"))}handleGridKeyDown(t){let e=t.shiftKey?10:1,r=this.value;t.key==="ArrowLeft"&&(t.preventDefault(),this.saturation=f(this.saturation-e,0,100),this.syncValues()),t.key==="ArrowRight"&&(t.preventDefault(),this.saturation=f(this.saturation+e,0,100),this.syncValues()),t.key==="ArrowUp"&&(t.preventDefault(),this.brightness=f(this.brightness+e,0,100),this.syncValues()),t.key==="ArrowDown"&&(t.preventDefault(),this.brightness=f(this.brightness-e,0,100),this.syncValues()),this.value!==r&&(this.emit("sl-change"),this.emit("sl-input"))}handleInputChange(t){let e=t.target,r=this.value;t.stopPropagation(),this.input.value?(this.setColor(e.value),e.value=this.value):this.value="",this.value!==r&&(this.emit("sl-change"),this.emit("sl-input"))}handleInputInput(t){this.formControlController.updateValidity(),t.stopPropagation()}handleInputKeyDown(t){if(t.key==="Enter"){let e=this.value;this.input.value?(this.setColor(this.input.value),this.input.value=this.value,this.value!==e&&(this.emit("sl-change"),this.emit("sl-input")),setTimeout(()=>this.input.select())):this.hue=0}}handleInputInvalid(t){this.formControlController.setValidity(!1),this.formControlController.emitInvalidEvent(t)}handleTouchMove(t){t.preventDefault()}parseColor(t){let e=new N(t);if(!e.isValid)return null;let r=e.toHsl(),i={h:r.h,s:r.s*100,l:r.l*100,a:r.a},s=e.toRgb(),o=e.toHexString(),a=e.toHex8String(),n=e.toHsv(),l={h:n.h,s:n.s*100,v:n.v*100,a:n.a};return{hsl:{h:i.h,s:i.s,l:i.l,string:this.setLetterCase(`hsl(${Math.round(i.h)}, ${Math.round(i.s)}%, ${Math.round(i.l)}%)`)},hsla:{h:i.h,s:i.s,l:i.l,a:i.a,string:this.setLetterCase(`hsla(${Math.round(i.h)}, ${Math.round(i.s)}%, ${Math.round(i.l)}%, ${i.a.toFixed(2).toString()})`)},hsv:{h:l.h,s:l.s,v:l.v,string:this.setLetterCase(`hsv(${Math.round(l.h)}, ${Math.round(l.s)}%, ${Math.round(l.v)}%)`)},hsva:{h:l.h,s:l.s,v:l.v,a:l.a,string:this.setLetterCase(`hsva(${Math.round(l.h)}, ${Math.round(l.s)}%, ${Math.round(l.v)}%, ${l.a.toFixed(2).toString()})`)},rgb:{r:s.r,g:s.g,b:s.b,string:this.setLetterCase(`rgb(${Math.round(s.r)}, ${Math.round(s.g)}, ${Math.round(s.b)})`)},rgba:{r:s.r,g:s.g,b:s.b,a:s.a,string:this.setLetterCase(`rgba(${Math.round(s.r)}, ${Math.round(s.g)}, ${Math.round(s.b)}, ${s.a.toFixed(2).toString()})`)},hex:this.setLetterCase(o),hexa:this.setLetterCase(a)}}setColor(t){let e=this.parseColor(t);return e===null?!1:(this.hue=e.hsva.h,this.saturation=e.hsva.s,this.brightness=e.hsva.v,this.alpha=this.opacity?e.hsva.a*100:100,this.syncValues(),!0)}setLetterCase(t){return typeof t!="string"?"":this.uppercase?t.toUpperCase():t.toLowerCase()}async syncValues(){let t=this.parseColor(`hsva(${this.hue}, ${this.saturation}%, ${this.brightness}%, ${this.alpha/100})`);t!==null&&(this.format==="hsl"?this.inputValue=this.opacity?t.hsla.string:t.hsl.string:this.format==="rgb"?this.inputValue=this.opacity?t.rgba.string:t.rgb.string:this.format==="hsv"?this.inputValue=this.opacity?t.hsva.string:t.hsv.string:this.inputValue=this.opacity?t.hexa:t.hex,this.isSafeValue=!0,this.value=this.inputValue,await this.updateComplete,this.isSafeValue=!1)}handleAfterHide(){this.previewButton.classList.remove("color-picker__preview-color--copied")}handleEyeDropper(){if(!$t)return;new EyeDropper().open().then(e=>{let r=this.value;this.setColor(e.sRGBHex),this.value!==r&&(this.emit("sl-change"),this.emit("sl-input"))}).catch(()=>{})}selectSwatch(t){let e=this.value;this.disabled||(this.setColor(t),this.value!==e&&(this.emit("sl-change"),this.emit("sl-input")))}getHexString(t,e,r,i=100){let s=new N(`hsva(${t}, ${e}%, ${r}%, ${i/100})`);return s.isValid?s.toHex8String():""}stopNestedEventPropagation(t){t.stopImmediatePropagation()}handleFormatChange(){this.syncValues()}handleOpacityChange(){this.alpha=100}handleValueChange(t,e){if(this.isEmpty=!e,e||(this.hue=0,this.saturation=0,this.brightness=100,this.alpha=100),!this.isSafeValue){let r=this.parseColor(e);r!==null?(this.inputValue=this.value,this.hue=r.hsva.h,this.saturation=r.hsva.s,this.brightness=r.hsva.v,this.alpha=r.hsva.a*100,this.syncValues()):this.inputValue=t??""}}focus(t){this.inline?this.base.focus(t):this.trigger.focus(t)}blur(){var t;let e=this.inline?this.base:this.trigger;this.hasFocus&&(e.focus({preventScroll:!0}),e.blur()),(t=this.dropdown)!=null&&t.open&&this.dropdown.hide()}getFormattedValue(t="hex"){let e=this.parseColor(`hsva(${this.hue}, ${this.saturation}%, ${this.brightness}%, ${this.alpha/100})`);if(e===null)return"";switch(t){case"hex":return e.hex;case"hexa":return e.hexa;case"rgb":return e.rgb.string;case"rgba":return e.rgba.string;case"hsl":return e.hsl.string;case"hsla":return e.hsla.string;case"hsv":return e.hsv.string;case"hsva":return e.hsva.string;default:return""}}checkValidity(){return this.input.checkValidity()}getForm(){return this.formControlController.getForm()}reportValidity(){return!this.inline&&!this.validity.valid?(this.dropdown.show(),this.addEventListener("sl-after-show",()=>this.input.reportValidity(),{once:!0}),this.disabled||this.formControlController.emitInvalidEvent(),!1):this.input.reportValidity()}setCustomValidity(t){this.input.setCustomValidity(t),this.formControlController.updateValidity()}render(){let t=this.saturation,e=100-this.brightness,r=Array.isArray(this.swatches)?this.swatches:this.swatches.split(";").filter(s=>s.trim()!==""),i=v`
      <div
        part="base"
        class=${A({"color-picker":!0,"color-picker--inline":this.inline,"color-picker--disabled":this.disabled,"color-picker--focused":this.hasFocus})}
        aria-disabled=${this.disabled?"true":"false"}
        aria-labelledby="label"
        tabindex=${this.inline?"0":"-1"}
      >
        ${this.inline?v`
              <sl-visually-hidden id="label">
                <slot name="label">${this.label}</slot>
              </sl-visually-hidden>
            `:null}

        <div
          part="grid"
          class="color-picker__grid"
          style=${k({backgroundColor:this.getHexString(this.hue,100,100)})}
          @pointerdown=${this.handleGridDrag}
          @touchmove=${this.handleTouchMove}
        >
          <span
            part="grid-handle"
            class=${A({"color-picker__grid-handle":!0,"color-picker__grid-handle--dragging":this.isDraggingGridHandle})}
            style=${k({top:`${e}%`,left:`${t}%`,backgroundColor:this.getHexString(this.hue,this.saturation,this.brightness,this.alpha)})}
            role="application"
            aria-label="HSV"
            tabindex=${M(this.disabled?void 0:"0")}
            @keydown=${this.handleGridKeyDown}
          ></span>
        </div>

        <div class="color-picker__controls">
          <div class="color-picker__sliders">
            <div
              part="slider hue-slider"
              class="color-picker__hue color-picker__slider"
              @pointerdown=${this.handleHueDrag}
              @touchmove=${this.handleTouchMove}
            >
              <span
                part="slider-handle hue-slider-handle"
                class="color-picker__slider-handle"
                style=${k({left:`${this.hue===0?0:100/(360/this.hue)}%`})}
                role="slider"
                aria-label="hue"
                aria-orientation="horizontal"
                aria-valuemin="0"
                aria-valuemax="360"
                aria-valuenow=${`${Math.round(this.hue)}`}
                tabindex=${M(this.disabled?void 0:"0")}
                @keydown=${this.handleHueKeyDown}
              ></span>
            </div>

            ${this.opacity?v`
                  <div
                    part="slider opacity-slider"
                    class="color-picker__alpha color-picker__slider color-picker__transparent-bg"
                    @pointerdown="${this.handleAlphaDrag}"
                    @touchmove=${this.handleTouchMove}
                  >
                    <div
                      class="color-picker__alpha-gradient"
                      style=${k({backgroundImage:`linear-gradient(
                          to right,
                          ${this.getHexString(this.hue,this.saturation,this.brightness,0)} 0%,
                          ${this.getHexString(this.hue,this.saturation,this.brightness,100)} 100%
                        )`})}
                    ></div>
                    <span
                      part="slider-handle opacity-slider-handle"
                      class="color-picker__slider-handle"
                      style=${k({left:`${this.alpha}%`})}
                      role="slider"
                      aria-label="alpha"
                      aria-orientation="horizontal"
                      aria-valuemin="0"
                      aria-valuemax="100"
                      aria-valuenow=${Math.round(this.alpha)}
                      tabindex=${M(this.disabled?void 0:"0")}
                      @keydown=${this.handleAlphaKeyDown}
                    ></span>
                  </div>
                `:""}
          </div>

          <button
            type="button"
            part="preview"
            class="color-picker__preview color-picker__transparent-bg"
            aria-label=${this.localize.term("copy")}
            style=${k({"--preview-color":this.getHexString(this.hue,this.saturation,this.brightness,this.alpha)})}
            @click=${this.handleCopy}
          ></button>
        </div>

        <div class="color-picker__user-input" aria-live="polite">
          <sl-input
            part="input"
            type="text"
            name=${this.name}
            autocomplete="off"
            autocorrect="off"
            autocapitalize="off"
            spellcheck="false"
            value=${this.isEmpty?"":this.inputValue}
            ?required=${this.required}
            ?disabled=${this.disabled}
            aria-label=${this.localize.term("currentValue")}
            @keydown=${this.handleInputKeyDown}
            @sl-change=${this.handleInputChange}
            @sl-input=${this.handleInputInput}
            @sl-invalid=${this.handleInputInvalid}
            @sl-blur=${this.stopNestedEventPropagation}
            @sl-focus=${this.stopNestedEventPropagation}
          ></sl-input>

          <sl-button-group>
            ${this.noFormatToggle?"":v`
                  <sl-button
                    part="format-button"
                    aria-label=${this.localize.term("toggleColorFormat")}
                    exportparts="
                      base:format-button__base,
                      prefix:format-button__prefix,
                      label:format-button__label,
                      suffix:format-button__suffix,
                      caret:format-button__caret
                    "
                    @click=${this.handleFormatToggle}
                    @sl-blur=${this.stopNestedEventPropagation}
                    @sl-focus=${this.stopNestedEventPropagation}
                  >
                    ${this.setLetterCase(this.format)}
                  </sl-button>
                `}
            ${$t?v`
                  <sl-button
                    part="eye-dropper-button"
                    exportparts="
                      base:eye-dropper-button__base,
                      prefix:eye-dropper-button__prefix,
                      label:eye-dropper-button__label,
                      suffix:eye-dropper-button__suffix,
                      caret:eye-dropper-button__caret
                    "
                    @click=${this.handleEyeDropper}
                    @sl-blur=${this.stopNestedEventPropagation}
                    @sl-focus=${this.stopNestedEventPropagation}
                  >
                    <sl-icon
                      library="system"
                      name="eyedropper"
                      label=${this.localize.term("selectAColorFromTheScreen")}
                    ></sl-icon>
                  </sl-button>
                `:""}
          </sl-button-group>
        </div>

        ${r.length>0?v`
              <div part="swatches" class="color-picker__swatches">
                ${r.map(s=>{let o=this.parseColor(s);return o?v`
                    <div
                      part="swatch"
                      class="color-picker__swatch color-picker__transparent-bg"
                      tabindex=${M(this.disabled?void 0:"0")}
                      role="button"
                      aria-label=${s}
                      @click=${()=>this.selectSwatch(s)}
                      @keydown=${a=>!this.disabled&&a.key==="Enter"&&this.setColor(o.hexa)}
                    >
                      <div
                        class="color-picker__swatch-color"
                        style=${k({backgroundColor:o.hexa})}
                      ></div>
                    </div>
                  `:(console.error(`Unable to parse swatch color: "${s}"`,this),"")})}
              </div>
            `:""}
      </div>
    `;return this.inline?i:v`
      <sl-dropdown
        class="color-dropdown"
        aria-disabled=${this.disabled?"true":"false"}
        .containingElement=${this}
        ?disabled=${this.disabled}
        ?hoist=${this.hoist}
        @sl-after-hide=${this.handleAfterHide}
      >
        <button
          part="trigger"
          slot="trigger"
          class=${A({"color-dropdown__trigger":!0,"color-dropdown__trigger--disabled":this.disabled,"color-dropdown__trigger--small":this.size==="small","color-dropdown__trigger--medium":this.size==="medium","color-dropdown__trigger--large":this.size==="large","color-dropdown__trigger--empty":this.isEmpty,"color-dropdown__trigger--focused":this.hasFocus,"color-picker__transparent-bg":!0})}
          style=${k({color:this.getHexString(this.hue,this.saturation,this.brightness,this.alpha)})}
          type="button"
        >
          <sl-visually-hidden>
            <slot name="label">${this.label}</slot>
          </sl-visually-hidden>
        </button>
        ${i}
      </sl-dropdown>
    `}};h.styles=[Y,lt];h.dependencies={"sl-button-group":et,"sl-button":it,"sl-dropdown":nt,"sl-icon":Q,"sl-input":at,"sl-visually-hidden":ot};u([$('[part~="base"]')],h.prototype,"base",2);u([$('[part~="input"]')],h.prototype,"input",2);u([$(".color-dropdown")],h.prototype,"dropdown",2);u([$('[part~="preview"]')],h.prototype,"previewButton",2);u([$('[part~="trigger"]')],h.prototype,"trigger",2);u([y()],h.prototype,"hasFocus",2);u([y()],h.prototype,"isDraggingGridHandle",2);u([y()],h.prototype,"isEmpty",2);u([y()],h.prototype,"inputValue",2);u([y()],h.prototype,"hue",2);u([y()],h.prototype,"saturation",2);u([y()],h.prototype,"brightness",2);u([y()],h.prototype,"alpha",2);u([p()],h.prototype,"value",2);u([st()],h.prototype,"defaultValue",2);u([p()],h.prototype,"label",2);u([p()],h.prototype,"format",2);u([p({type:Boolean,reflect:!0})],h.prototype,"inline",2);u([p({reflect:!0})],h.prototype,"size",2);u([p({attribute:"no-format-toggle",type:Boolean})],h.prototype,"noFormatToggle",2);u([p()],h.prototype,"name",2);u([p({type:Boolean,reflect:!0})],h.prototype,"disabled",2);u([p({type:Boolean})],h.prototype,"hoist",2);u([p({type:Boolean})],h.prototype,"opacity",2);u([p({type:Boolean})],h.prototype,"uppercase",2);u([p()],h.prototype,"swatches",2);u([p({reflect:!0})],h.prototype,"form",2);u([p({type:Boolean,reflect:!0})],h.prototype,"required",2);u([Z({passive:!1})],h.prototype,"handleTouchMove",1);u([R("format",{waitUntilFirstUpdate:!0})],h.prototype,"handleFormatChange",1);u([R("opacity",{waitUntilFirstUpdate:!0})],h.prototype,"handleOpacityChange",1);u([R("value")],h.prototype,"handleValueChange",1);h.define("sl-color-picker");
