"use strict";(()=>{var T=[0,250,500,1e3,2e3,3e3],P=5e3,N=1e3,Q=4404,m=class{#e;#i;#n;#t;#s=0;#o=0;constructor(e,t){this.#e=e,this.#i=t}start(){window.addEventListener("online",()=>this.#a()),document.addEventListener("visibilitychange",()=>{document.visibilityState==="visible"&&this.#a()}),window.addEventListener("pageshow",e=>{e.persisted&&this.#a()}),this.#s=1,this.#r()}send(e){return this.#n?.readyState!==WebSocket.OPEN?!1:(this.#n.send(e),!0)}disconnect(){this.#n?.close()}#r(){clearTimeout(this.#t),this.#t=void 0;let e=new WebSocket(this.#e);this.#n=e,e.onopen=()=>{this.#o=performance.now(),this.#i.opened()},e.onmessage=({data:t})=>{typeof t=="string"&&this.#i.received(t)},e.onclose=({code:t})=>{this.#o>0&&performance.now()-this.#o>=N&&(this.#s=0),this.#o=0,this.#n=void 0,this.#i.closed(t);let i=t===Q?P:T[Math.min(this.#s,T.length-1)];this.#s++,this.#t=setTimeout(()=>this.#r(),i)}}#a(){this.#t!==void 0&&this.#r()}};var E="ui-popup-muted",C=/^\(\d+\) /,p=class{#e=0;#i=new Map;constructor(){new MutationObserver(()=>this.#n()).observe(document.head,{childList:!0,subtree:!0,characterData:!0})}get muted(){try{return localStorage.getItem(E)==="true"}catch{return!1}}set muted(e){try{localStorage.setItem(E,String(e))}catch{}}count(e){this.#e=e,this.#n()}#n(){let e=document.title.replace(C,""),t=this.#e>0?`(${this.#e}) ${e}`:e;document.title!==t&&(document.title=t)}async call(e){let t=async()=>{this.muted||H(),this.#t(e),await new Promise(i=>setTimeout(i,2e3))};if(navigator.locks===void 0)return t();await navigator.locks.request(`ui-popup ${e.id}`,{ifAvailable:!0},async i=>{i!==null&&await t()})}get canAsk(){return typeof Notification<"u"&&Notification.permission==="default"}async ask(){await Notification.requestPermission()}#t(e){if(typeof Notification>"u"||Notification.permission!=="granted"||document.hasFocus())return;let t=new Notification(e.title,{tag:e.id,body:"Your agent asks you something.",silent:!0});t.onclick=()=>{window.focus(),t.close()},this.#i.set(e.id,t)}done(e){this.#i.get(e)?.close(),this.#i.delete(e)}};function H(){try{let s=new AudioContext,e=s.currentTime;for(let[t,i]of[659.25,880].entries()){let n=s.createOscillator(),o=s.createGain(),a=e+t*.16;n.frequency.value=i,o.gain.setValueAtTime(0,a),o.gain.linearRampToValueAtTime(.08,a+.02),o.gain.exponentialRampToValueAtTime(1e-4,a+.5),n.connect(o).connect(s.destination),n.start(a),n.stop(a+.55),t===1&&(n.onended=()=>{s.close()})}}catch{}}function r(s,e="",t=""){let i=document.createElement(s);return e!==""&&(i.className=e),t!==""&&(i.textContent=t),i}function c(s,e,t,i=""){let n=r("button",s,e);return n.type="button",i!==""&&(n.setAttribute("aria-label",i),n.title=i),n.addEventListener("click",t),n}var $=5e3,f=class{element=r("div","corner");#e=r("div","chip");#i;#n;#t=r("div","toast");#s;#o;constructor(e){this.element.popover="manual",this.#i=c("open","",()=>e.open());let t=()=>{this.#s!==void 0&&e.dismiss(this.#s)};this.#n=c("quiet dismiss","Dismiss",t,"Dismiss the question without an answer (Escape)"),this.#e.append(this.#i,this.#n),this.#e.addEventListener("keydown",i=>{i.key==="Escape"&&(i.stopPropagation(),i.preventDefault(),t())}),this.#e.hidden=this.#t.hidden=!0,this.element.append(this.#t,this.#e)}waiting(e,t,i){this.#s=i?t:void 0,this.#n.hidden=!i,this.#e.hidden=e===0;let n=t?.title??"Questions";e>0&&(this.#i.textContent=e===1?n:`${n} (1 of ${e})`),this.#i.setAttribute("aria-label",`Open: ${this.#i.textContent??""}`),this.#r()}focus(){this.#i.focus()}say(e){clearTimeout(this.#o),this.#t.textContent=e,this.#t.hidden=!1,this.#r(),this.#o=setTimeout(()=>{this.#t.hidden=!0,this.#r()},$)}#r(){let e=!this.#e.hidden||!this.#t.hidden;e!==this.element.matches(":popover-open")&&this.element.togglePopover(e)}};var g=class{#e=new Map;#i=[];#n=new Set;waiting=0;history=[];take(e){let t=new Set(this.#i.map(({id:o})=>o));for(let o of e.questions)this.#e.set(o.id,o);let i=new Set(e.order.map(({id:o})=>o)),n=[...t].filter(o=>!i.has(o));for(let o of n)this.#e.delete(o),this.#n.delete(o);return this.#i=e.order,this.waiting=e.waiting,this.history=e.history,{fresh:this.all().filter(({id:o})=>!t.has(o)),over:n}}all(){return this.#i.flatMap(({id:e})=>this.#e.get(e)??[])}current(){let e=this.#i.find(({id:t,dialog:i})=>i&&!this.#n.has(t));return e&&this.#e.get(e.id)}isMine(e){return this.#i.some(t=>t.id===e&&t.dialog)}has(e){return this.#i.some(t=>t.id===e)}putAway(e){this.#n.add(e)}takeUp(){this.#n.clear()}outcome(e){return this.history.find(t=>t.id===e)}};var y=class{element=r("form","form");#e;#i;#n=[];#t=[];#s;#o=r("p","error");constructor(e,t,i,n){if(this.#e=e,this.#i=n,this.element.noValidate=!0,this.element.addEventListener("submit",o=>{o.preventDefault(),this.send()}),this.element.addEventListener("input",()=>i(this.draft())),this.#o.setAttribute("role","alert"),e.options.length>0&&this.element.append(this.#l(t)),e.allowText&&(this.#s=this.#c(t),this.element.append(this.#s)),this.element.append(this.#o),e.multiple||e.allowText){let o=r("button","send",e.multiple?"Submit":"Send");o.type="submit",this.element.append(o)}}draft(){return{text:this.#s?.value??"",values:this.#t.filter(({checked:e})=>e).map(({value:e})=>e)}}focus(){let e=this.#e.options.findIndex(({value:i})=>i===this.#e.default),t=this.#a(Math.max(e,0))??this.#s;return t===void 0||this.#e.severity==="danger"?!1:(t.focus(),!0)}choose(e){let t=this.#e.options[e],i=this.#a(e);t===void 0||i===void 0||(i.focus(),this.#e.multiple?i.click():this.#e.severity!=="danger"&&this.#r([t.value]))}step(e){let t=this.#e.options.map((a,d)=>this.#a(d)),i=this.element.getRootNode(),n=t.findIndex(a=>a===i.activeElement),o=n<0?e>0?0:t.length-1:(n+e+t.length)%t.length;t[o]?.focus()}send(){let{text:e,values:t}=this.draft();if(e.trim()===""&&t.length===0){this.fail(this.#e.multiple?"Choose at least one.":"Type something first.");return}this.#r(t)}#r(e){this.#o.textContent="",this.#i({action:"answer",values:e,text:this.#s?.value??""})}fail(e){this.#o.textContent=e,this.busy(!1)}busy(e){this.element.classList.toggle("busy",e),this.element.setAttribute("aria-busy",String(e))}#a(e){return this.#t[e]??this.#n[e]}#l(e){let t=r("ol","options");return t.setAttribute("role","group"),t.setAttribute("aria-labelledby","title"),this.#e.options.forEach((i,n)=>{let o=r("li"),a=r("span","words");a.append(r("span","label",i.label)),i.description!==void 0&&a.append(r("span","description",i.description));let d=r("kbd","digit",n<9?String(n+1):"");if(d.setAttribute("aria-hidden","true"),this.#e.multiple){let l=r("input");l.type="checkbox",l.value=i.value,l.checked=e?.values.includes(i.value)??i.value===this.#e.default;let h=r("label","option");h.append(l,a,d),this.#t.push(l),this.#n.push(h),o.append(h)}else{let l=c("option","",()=>this.#r([i.value]));l.append(a,d),i.value===this.#e.default&&l.classList.add("default"),this.#n.push(l),o.append(l)}t.append(o)}),t}#c(e){let{secret:t,options:i}=this.#e,n=t?r("input","text"):r("textarea","text");return n instanceof HTMLInputElement?(n.type="password",n.autocomplete="off"):(n.rows=i.length>0?1:3,n.value=e?.text??(i.length===0?this.#e.default:""),n.addEventListener("keydown",o=>{o.key!=="Enter"||o.shiftKey||o.isComposing||(o.preventDefault(),this.send())})),n.setAttribute("aria-label",t?"Secret":"Your answer"),n.placeholder=t?"Only the app gets to see this":i.length>0?"Or type an answer":"Type an answer",n}};var O={answered:"answered",default:"no reaction, default taken",timed_out:"no reaction in time",dismissed:"dismissed",declined:"declined",withdrawn:"withdrawn by the agent",no_human:"could not be shown"};function w(s){let e=O[s.outcome]??s.outcome;return s.answer===""?e:`${s.outcome==="answered"?"":`${e}: `}${s.answer}`}function x(s){if(s.length===0)return r("p","empty","Nothing has been asked yet.");let e=r("ol","history");for(let t of s){let i=r("li"),n=r("time","",new Date(t.at).toLocaleTimeString([],{hour:"2-digit",minute:"2-digit"}));n.dateTime=new Date(t.at).toISOString(),i.append(n,r("span","asked",t.title),r("span",`outcome ${t.outcome}`,w(t))),e.append(i)}return e}var b=s=>`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${s}"/></svg>`,I=b("M12 7v5l3 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z"),R=b("M6 9a6 6 0 0 1 12 0c0 6 2 7 2 7H4s2-1 2-7M10 20a2 2 0 0 0 4 0"),q=b("M6 9a6 6 0 0 1 10-4.5M18 10c.2 5 2 6 2 6H4s2-1 2-7M10 20a2 2 0 0 0 4 0M3 3l18 18"),K=b("M6 9l6 6 6-6"),v=class{element=r("dialog");#e;#i=r("h2");#n=r("div","message");#t=r("div","images");#s=r("div");#o=r("section");#r=r("span","meta");#a=r("div","sr");#l;#c;#p;#d;#h;#f={position:"",muted:!1,canNotify:!1,history:[]};#g;constructor(e){this.#e=e,this.element.setAttribute("role","dialog"),this.element.setAttribute("aria-modal","true"),this.element.setAttribute("aria-labelledby","title"),this.element.setAttribute("aria-describedby","message"),this.element.tabIndex=-1,this.#i.id="title",this.#n.id="message",this.#o.setAttribute("aria-label","Past questions"),this.#o.hidden=!0,this.#l=c("tool mute","",()=>e.muted(!this.#f.muted)),this.#c=c("tool past","",()=>this.#y(!this.#u),"Past questions"),this.#c.innerHTML=I,this.#c.setAttribute("aria-expanded","false");let t=c("tool away","",()=>this.#v(),"Later: keep the question and what you have typed (Escape)");t.innerHTML=K;let i=c("quiet decline","I won’t answer",()=>this.#m({action:"decline",values:[],text:""}));this.#p=c("quiet notify","Notify me",()=>e.notify(),"Show a notification of the desktop when a question comes");let n=r("header");n.append(this.#i,this.#l,this.#c,t);let o=r("div","body");o.append(this.#n,this.#t,this.#s,this.#o);let a=r("footer");a.append(this.#r,this.#p,i),this.#a.setAttribute("role","status"),this.element.append(n,o,a,this.#a),this.element.addEventListener("cancel",d=>{d.preventDefault()}),this.element.addEventListener("keydown",d=>this.#w(d))}get#u(){return this.#o.hidden===!1}get question(){return this.#d}show(e,t){this.#d=e,this.element.className=e.severity,this.#i.textContent=e.title,this.#n.innerHTML=e.html,this.#t.replaceChildren(...e.images.map(({src:i,alt:n})=>{let o=r("img");return o.src=i,o.alt=n??"",o})),this.#t.hidden=e.images.length===0,this.#h=new y(e,t,i=>this.#e.drafted(e,i),i=>this.#m(i)),this.#s.replaceChildren(this.#h.element),this.#y(!1),this.element.open||this.element.showModal(),this.#h.focus()||this.element.focus(),clearInterval(this.#g),this.#g=setInterval(()=>this.#b(),1e3),this.#b()}close(){this.#d=void 0,clearInterval(this.#g),this.element.open&&this.element.close()}surround(e){this.#f=e,this.#l.innerHTML=e.muted?q:R,this.#l.setAttribute("aria-pressed",String(e.muted)),this.#l.setAttribute("aria-label","Silence the chime"),this.#l.title=e.muted?"The chime is silent":"Silence the chime",this.#p.hidden=!e.canNotify,this.#u&&this.#o.replaceChildren(x(e.history)),this.#b()}announce(e){this.#a.textContent=e}fail(e){this.#h?.fail(e)}#m(e){this.#d!==void 0&&(this.#h?.busy(!0),this.#e.replied(this.#d,e))}#v(){this.#d!==void 0&&this.#e.putAway(this.#d)}#y(e){this.#o.hidden=!e,this.#i.textContent=e?"Past questions":this.#d?.title??"",this.#c.setAttribute("aria-expanded",String(e));for(let t of[this.#n,this.#s])t.hidden=e;this.#t.hidden=e||(this.#d?.images.length??0)===0,e&&this.#o.replaceChildren(x(this.#f.history))}#b(){if(this.#d===void 0)return;let{deadline:e,options:t,default:i,workspace:n}=this.#d,o=Math.max(0,Math.round((e-Date.now())/1e3)),a=[this.#f.position,n.split("/").at(-1)??""];if(o<3600){let d=`${Math.floor(o/60)}:${String(o%60).padStart(2,"0")}`,l=t.find(h=>h.value===i)?.label??i;a.push(i===""?`${d} left`:`“${l}” in ${d}`)}this.#r.textContent=a.filter(d=>d!=="").join(" · "),this.#r.title=n}#w(e){if(e.isComposing)return;e.stopPropagation();let i=e.composedPath().some(o=>o instanceof HTMLTextAreaElement||o instanceof HTMLInputElement&&o.type!=="checkbox"),n=!e.ctrlKey&&!e.metaKey&&!e.altKey;switch(e.key){case"Escape":e.preventDefault(),this.#u?this.#y(!1):this.#v();return;case"Tab":return this.#x(e);case"ArrowDown":case"ArrowUp":return i||!n||this.#u?void 0:(e.preventDefault(),this.#h?.step(e.key==="ArrowDown"?1:-1))}/^[1-9]$/.test(e.key)&&!i&&n&&!e.repeat&&!this.#u&&(e.preventDefault(),this.#h?.choose(Number(e.key)-1))}#x(e){let t=[...this.element.querySelectorAll("a[href], button, input, textarea")].filter(o=>o.checkVisibility()),i=this.element.getRootNode().activeElement,n=e.shiftKey?t[0]:t.at(-1);i!==n&&!(e.shiftKey&&i===this.element)||(e.preventDefault(),(e.shiftKey?t.at(-1):t[0])?.focus())}};var k="ui-popup-draft:";function S(s,e){try{e.text===""&&e.values.length===0?sessionStorage.removeItem(k+s):sessionStorage.setItem(k+s,JSON.stringify(e))}catch{}}function L(s){try{let e=sessionStorage.getItem(k+s);return e===null?void 0:JSON.parse(e)}catch{return}}function M(s){S(s,{text:"",values:[]})}var A=`
:host {
  --surface: var(--ui-surface, light-dark(#ffffff, #1d1f28));
  --sunken: var(--ui-sunken, light-dark(#f0f1f6, #282b37));
  --text: var(--ui-text, light-dark(#1b1d28, #eceef6));
  --muted: var(--ui-muted, light-dark(#5d6273, #a0a6ba));
  --line: var(--ui-line, light-dark(#d5d8e3, #3a3f50));
  --accent: var(--ui-accent, light-dark(#4650c9, #9aa3ff));
  --on-accent: light-dark(#ffffff, #14162a);
  --danger: var(--ui-danger, light-dark(#b3261e, #ff9a92));
  --warning: light-dark(#8a5a00, #f0c060);
  --mono: var(--ui-mono, ui-monospace, Menlo, "Liberation Mono", monospace);
  all: initial; color-scheme: light dark; color: var(--text);
  font: 1rem/1.5 var(--ui-font, system-ui, sans-serif);
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
button, input, textarea { font: inherit; color: inherit; }
button { cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }

dialog {
  inline-size: min(34rem, 100vw - 1.5rem); max-block-size: min(44rem, 100dvh - 1.5rem);
  margin: auto; padding: 0; overflow: hidden;
  border: 1px solid var(--line); border-radius: 16px; background: var(--surface); color: var(--text);
  box-shadow: 0 24px 70px rgb(0 0 0 / 0.35);
}
dialog[open] { display: flex; flex-direction: column; }
dialog:focus { outline: none; }
dialog::backdrop { background: rgb(10 12 24 / 0.45); }
dialog.warning { border-block-start: 4px solid var(--warning); }
dialog.danger { border-block-start: 4px solid var(--danger); }

header { display: flex; align-items: flex-start; gap: 0.25rem; padding: 1rem 0.75rem 0 1.25rem; }
h2 { flex: 1; margin: 0.2rem 0 0; font-size: 1.125rem; line-height: 1.35; font-weight: 650; overflow-wrap: anywhere; }
.warning h2::before, .danger h2::before { content: "⚠\\FE0E"; margin-inline-end: 0.45rem; color: var(--warning); }
.danger h2::before { color: var(--danger); }
.tool {
  flex: none; min-inline-size: 2.25rem; block-size: 2.25rem; padding: 0 0.5rem;
  border: 0; border-radius: 9px; background: none; color: var(--muted); font-size: 0.8125rem; line-height: 1;
}
.tool svg { display: block; margin: auto; inline-size: 1.125rem; block-size: 1.125rem; }
.tool:hover, .tool[aria-pressed=true], .tool[aria-expanded=true] { background: var(--sunken); color: var(--text); }

.body { flex: 1; overflow: auto; overscroll-behavior: contain; padding: 0.5rem 1.25rem 0.25rem; }
.message { overflow-wrap: anywhere; }
.message p { white-space: pre-line; margin: 0.5rem 0; }
.message h1, .message h2, .message h3, .message h4, .message h5, .message h6 { font-size: 1rem; margin: 0.9rem 0 0.3rem; }
.message pre { padding: 0.7rem 0.9rem; border-radius: 9px; background: var(--sunken); overflow: auto; }
.message code { font: 0.875em/1.5 var(--mono); }
.message :not(pre) > code { padding: 0.1em 0.3em; border-radius: 5px; background: var(--sunken); }
.message ul, .message ol { margin: 0.4rem 0; padding-inline-start: 1.4rem; }
.message blockquote { margin: 0.5rem 0; padding-inline-start: 0.9rem; border-inline-start: 3px solid var(--line); color: var(--muted); }
.message table { border-collapse: collapse; display: block; overflow: auto; }
.message th, .message td { padding: 0.3rem 0.6rem; border: 1px solid var(--line); text-align: start; }
.message a { color: var(--accent); }
.images { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-block: 0.5rem; }
.images img { max-inline-size: 100%; max-block-size: 18rem; border-radius: 9px; border: 1px solid var(--line); }

.options { margin: 0.75rem 0; padding: 0; list-style: none; display: grid; gap: 0.5rem; }
.option {
  display: flex; align-items: center; gap: 0.75rem; inline-size: 100%; min-block-size: 2.875rem; padding: 0.55rem 0.9rem;
  border: 1px solid var(--line); border-radius: 11px; background: var(--surface); text-align: start; cursor: pointer;
}
.option:hover, .option:focus-visible, .option:focus-within { border-color: var(--accent); background: color-mix(in srgb, var(--accent) 8%, var(--surface)); }
.option.default { border-color: var(--accent); }
.option input { inline-size: 1.1rem; block-size: 1.1rem; margin: 0; accent-color: var(--accent); }
.words { flex: 1; min-inline-size: 0; overflow-wrap: anywhere; }
.label { display: block; font-weight: 550; }
.description { display: block; color: var(--muted); font-size: 0.875rem; }
.digit {
  min-inline-size: 1.5rem; padding: 0.05rem 0.35rem; border: 1px solid var(--line); border-radius: 6px;
  color: var(--muted); font: 0.75rem/1.5 var(--mono); text-align: center;
}
.digit:empty { display: none; }
.text {
  display: block; inline-size: 100%; margin-block: 0.75rem; padding: 0.6rem 0.8rem; resize: vertical; field-sizing: content; min-block-size: 2.75rem; max-block-size: 14rem;
  border: 1px solid var(--line); border-radius: 11px; background: var(--sunken);
}
.text::placeholder { color: var(--muted); opacity: 1; }
.error { margin: 0; color: var(--danger); font-size: 0.875rem; }
.error:empty { display: none; }
.send {
  display: block; margin: 0.75rem 0 0.25rem auto; min-block-size: 2.5rem; padding: 0.4rem 1.4rem; border: 0; border-radius: 11px;
  background: var(--accent); color: var(--on-accent); font-weight: 600;
}
.send:hover { filter: brightness(1.08); }
.busy { opacity: 0.6; pointer-events: none; }

footer {
  display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem; padding: 0.6rem 1.25rem 0.8rem;
  color: var(--muted); font-size: 0.8125rem;
}
.meta { flex: 1 1 10rem; min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.quiet { min-block-size: 2rem; padding: 0.2rem 0.6rem; border: 0; border-radius: 8px; background: none; color: var(--muted); }
.quiet:hover { background: var(--sunken); color: var(--text); }

.history { margin: 0.5rem 0; padding: 0; list-style: none; font-size: 0.875rem; }
.history li { display: grid; grid-template-columns: auto 1fr; gap: 0 0.75rem; padding: 0.45rem 0; border-block-end: 1px solid var(--line); }
.history time { color: var(--muted); font-variant-numeric: tabular-nums; }
.history .asked { overflow-wrap: anywhere; font-weight: 550; }
.history .outcome { grid-column: 2; color: var(--muted); overflow-wrap: anywhere; }
.history .answered { color: var(--accent); }
.empty { color: var(--muted); }

.corner {
  position: fixed; inset: auto 0.75rem 0.75rem auto; z-index: 2147483647; margin: 0; padding: 0; border: 0; background: none; overflow: visible;
  display: flex; flex-direction: column; align-items: flex-end; gap: 0.5rem; max-inline-size: calc(100vw - 1.5rem); color: var(--text);
}
.toast { padding: 0.5rem 0.9rem; border-radius: 11px; background: var(--text); color: var(--surface); font-size: 0.875rem; }
.chip {
  display: flex; align-items: center; gap: 0.6rem; max-inline-size: 100%; min-block-size: 2.75rem; padding: 0.4rem 0.4rem 0.4rem 1rem;
  border: 1px solid var(--accent); border-radius: 999px; background: var(--surface); box-shadow: 0 6px 24px rgb(0 0 0 / 0.25);
}
.chip .open { flex: 1; min-inline-size: 0; border: 0; padding: 0.3rem 0.4rem; margin-inline-start: -0.4rem; border-radius: 999px; background: none; font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.sr { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

@media (prefers-reduced-motion: no-preference) {
  dialog[open] { animation: rise 0.12s ease-out; }
  .chip, .toast { animation: rise 0.12s ease-out; }
  @keyframes rise { from { transform: translateY(0.4rem); } }
}
@media (max-width: 480px) {
  header { padding-inline-start: 1rem; }
  .body, footer { padding-inline: 1rem; }
}
@media (pointer: coarse) { .digit { display: none; } }
`;var B=700,u=class extends HTMLElement{#e=new g;#i=new p;#n=r("div","sr");#t;#s;#o=()=>!1;#r=new Set;#a=new Set;#l=new Set;#c=-1/0;#p;constructor(){super(),this.#t=new v({replied:(n,o)=>this.#d(n,o),putAway:n=>this.#h(n),drafted:(n,o)=>{n.secret||S(n.id,o)},muted:n=>{this.#i.muted=n,this.#m()},notify:()=>{this.#i.ask().finally(()=>this.#m())}}),this.#s=new f({open:()=>{this.#e.takeUp(),this.#m(!0)},dismiss:n=>this.#d(n,{action:"dismiss",values:[],text:""})}),this.#n.setAttribute("role","status");let e=this.attachShadow({mode:"open"}),t=new CSSStyleSheet;t.replaceSync(A),e.adoptedStyleSheets=[t],e.append(this.#n,this.#s.element,this.#t.element);let i=n=>{n.composedPath().includes(this)||(this.#c=performance.now())};document.addEventListener("keydown",i,{capture:!0})}connect(e){this.#o=e,this.#r.clear()}state(e){let{fresh:t,over:i}=this.#e.take(e);for(let a of i)this.#f(a);let n=this.#e.all().filter(({id:a})=>this.#e.isMine(a)&&!this.#a.has(a)),o=n[0]??t[0];o!==void 0&&this.#u(`Question: ${o.title}${t.length>1?`, and ${t.length-1} more`:""}`);for(let a of n)this.#a.add(a.id),this.#i.call(a);this.#m()}verdict(e){if(e.ok||e.over===!0){!e.ok&&e.error!==void 0&&this.#g(e.error);return}this.#l.delete(e.id),this.#t.question?.id===e.id&&this.#t.fail(e.error??"The answer was not taken.")}offline(){this.#o=()=>!1,this.dataset.connection="offline",this.#t.question!==void 0&&this.#t.fail("Not connected. Your answer can be sent when the server is back.")}online(){this.dataset.connection="live",this.#t.question!==void 0&&this.#t.fail("")}#d(e,t){if(!this.#o({type:"answer",id:e.id,...t})){this.#t.fail("Not connected. Try again in a moment.");return}this.#l.add(e.id)}#h(e){this.#e.putAway(e.id),this.#m(),this.#t.question===void 0&&this.#s.focus(),this.#u("Kept for later. Press Escape once more to dismiss the question.")}#f(e){this.#i.done(e),this.#r.delete(e),this.#a.delete(e),M(e);let t=this.#e.outcome(e);if(!this.#l.delete(e)&&t!==void 0){let i=t.channel===""||t.channel==="page"?"":` (${t.channel})`;this.#g(`${t.title}: ${w(t)}${i}`)}}#g(e){this.#u(e),this.#s.say(e)}#u(e){this.#n.textContent=e,this.#t.announce(e)}#m(e=!1){let t=this.#e.all(),i=this.#e.current()??(e?t[0]:void 0),n=this.#t.question;n!==void 0&&(!this.#e.has(n.id)||i===void 0&&this.#e.isMine(n.id))&&this.#t.close(),i!==void 0&&(e||this.#e.isMine(i.id))&&this.#t.question===void 0&&this.#v(i,e);let o=this.#t.question,a=this.#e.waiting>1&&o!==void 0?`${t.indexOf(o)+1} of ${this.#e.waiting}`:"";this.#t.surround({position:a,muted:this.#i.muted,canNotify:this.#i.canAsk,history:this.#e.history});let d=t.find(({id:l})=>this.#e.isMine(l));this.#s.waiting(o===void 0?this.#e.waiting:0,d??t[0],d!==void 0),this.#i.count(this.#e.waiting),this.dataset.state=o!==void 0?"dialog":this.#e.waiting>0?"chip":"idle",this.dataset.question=o?.id??"",this.#y()}#v(e,t){clearTimeout(this.#p);let i=this.#c+B-performance.now();t||i<=0?this.#t.show(e,e.secret?void 0:L(e.id)):this.#p=setTimeout(()=>this.#m(),i)}#y(){for(let{id:e}of this.#e.all())!this.#e.isMine(e)||this.#r.has(e)||this.#o({type:"shown",id:e})&&this.#r.add(e)}};function D(s){let e=JSON.parse(s);if(!(typeof e!="object"||e===null||!("type"in e)))return e.type==="state"||e.type==="verdict"?e:void 0}function z(){if(customElements.get("ui-popup")!==void 0)return;customElements.define("ui-popup",u);let s=new u;document.body.append(s);let e=!1,t=new m(`${location.protocol==="https:"?"wss":"ws"}://${location.host}/popup-ws`,{opened:()=>{o()},received:d=>{let l=D(d);l?.type==="state"?(s.state(l),s.dataset.ready="true"):l!==void 0&&s.verdict(l)},closed:()=>{e=!1,s.offline()}}),i=d=>t.send(JSON.stringify(d)),n=()=>document.visibilityState==="visible"&&document.hasFocus(),o=async()=>{try{let d=await fetch("/popup-token",{cache:"no-store"}),{token:l}=await d.json();if(!i({type:"hello",token:l,focused:n()}))return;e=!0,s.connect(i),s.online()}catch{t.disconnect()}},a=()=>{e&&i({type:"focus",focused:n()})};window.addEventListener("focus",a),window.addEventListener("blur",a),document.addEventListener("visibilitychange",a),t.start()}document.readyState==="loading"?document.addEventListener("DOMContentLoaded",z):z();})();
