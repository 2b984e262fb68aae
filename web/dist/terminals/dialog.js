var z="ui-popup-muted";function T(){try{return localStorage.getItem(z)==="true"}catch{return!1}}function H(r){try{localStorage.setItem(z,String(r))}catch{}}async function A(r,e){try{await navigator.locks.request(`ui-popup ${r}`,{ifAvailable:!0},async t=>{t!==null&&(e(),await new Promise(s=>setTimeout(s,2e3)))})}catch{e()}}function R(){try{let r=new AudioContext,e=r.currentTime;for(let[t,s]of[659.25,880].entries()){let i=r.createOscillator(),n=r.createGain(),a=e+t*.16;i.frequency.value=s,n.gain.setValueAtTime(0,a),n.gain.linearRampToValueAtTime(.08,a+.02),n.gain.exponentialRampToValueAtTime(1e-4,a+.5),i.connect(n).connect(r.destination),i.start(a),i.stop(a+.55),t===1&&(i.onended=()=>{r.close()})}}catch{}}function o(r,e="",t=""){let s=document.createElement(r);return e!==""&&(s.className=e),t!==""&&(s.textContent=t),s}function c(r,e,t,s=""){let i=o("button",r,e);return i.type="button",s!==""&&(i.title=s),s!==""&&e===""&&i.setAttribute("aria-label",s),i.addEventListener("click",t),i}function u(r){return`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${r}"/></svg>`}var N=5e3,p=class{element=o("div","corner");#e=o("div","chip");#i;#t;#s=o("div","toast");#o;#n;#a;constructor(e){this.#a=()=>e.resized(),this.#i=c("open","",()=>e.open()),this.#i.dataset.harmless="";let t=()=>{this.#o!==void 0&&e.dismiss(this.#o)};this.#t=c("quiet dismiss","Dismiss",t,"Dismiss the question without an answer (Escape)"),this.#e.append(this.#i,this.#t),this.#e.addEventListener("keydown",s=>{s.key==="Escape"&&(s.preventDefault(),t())}),this.#e.hidden=this.#s.hidden=!0,this.element.setAttribute("role","region"),this.element.setAttribute("aria-label","Questions"),this.element.append(this.#s,this.#e),new ResizeObserver(()=>e.resized()).observe(this.element)}get used(){return!this.#e.hidden||!this.#s.hidden}size(){this.element.classList.add("measured");let{width:e,height:t}=this.element.getBoundingClientRect();return this.element.classList.remove("measured"),{width:Math.ceil(e),height:Math.ceil(t)}}waiting(e,t,s){this.#o=s?t:void 0,this.#t.hidden=!s,this.#e.hidden=e===0;let i=t?.title??"Questions";e>0&&(this.#i.textContent=e===1?i:`${i} (1 of ${e})`),this.#i.setAttribute("aria-label",`Open: ${this.#i.textContent??""}`),this.element.classList.toggle("used",this.used)}focus(){this.#i.focus()}notify(e){clearTimeout(this.#n),this.#s.textContent=e,this.#d(!0),this.#n=setTimeout(()=>this.#d(!1),N)}#d(e){this.#s.hidden=!e,this.element.classList.toggle("used",this.used),this.#a()}};var m=class{#e=new Map;#i=[];#t=new Set;waiting=0;history=[];update(e){let t=new Set(this.#i.map(({id:n})=>n));for(let n of e.questions)this.#e.set(n.id,n);let s=new Set(e.order.map(({id:n})=>n)),i=[...t].filter(n=>!s.has(n));for(let n of i)this.#e.delete(n),this.#t.delete(n);return this.#i=e.order,this.waiting=e.waiting,this.history=e.history,{fresh:this.all().filter(({id:n})=>!t.has(n)),over:i}}all(){return this.#i.flatMap(({id:e})=>this.#e.get(e)??[])}current(){let e=this.#i.find(({id:t,dialog:s})=>s&&!this.#t.has(t));return e&&this.#e.get(e.id)}isMine(e){return this.#i.some(t=>t.id===e&&t.dialog)}has(e){return this.#i.some(t=>t.id===e)}postpone(e){this.#t.add(e)}isPostponed(e){return this.#t.has(e)}resume(){this.#t.clear()}outcome(e){return this.history.find(t=>t.id===e)}};var f=class{#e;constructor(e){this.#e=e,e.addEventListener("scroll",()=>this.update(),{passive:!0})}update(){let{scrollTop:e,scrollHeight:t,clientHeight:s,classList:i}=this.#e;i.toggle("cut-above",e>1),i.toggle("cut-below",t-s-e>1)}};var Q={agent:"Your agent",app:"The app that asks",program:"The program that asks"},g=class{element=o("form","form");button;#e;#i;#t;#s=[];#o=[];#n;#a=o("p","error");#d;#r=!1;constructor(e,t,s,i){this.#e=e,this.#i=s,this.#t=i,this.element.noValidate=!0,this.element.addEventListener("submit",a=>{a.preventDefault(),this.send()}),this.element.addEventListener("input",()=>s(this.draft())),this.#a.setAttribute("role","alert");let n=e.options.length>0?this.#u(t):"";e.prompt||this.element.append(n),this.#d=e.secret||e.prompt||e.options.length>0?"":e.default,e.allowText&&(this.#n=this.#l(t),this.element.append(this.#n),e.secret&&this.element.append(P(this.#n))),this.element.append(this.#a),(e.multiple||e.allowText)&&(this.button=o("button","send",e.multiple?"Submit":"Send"),this.button.type="submit",this.button.setAttribute("form",this.element.id="form")),e.prompt&&this.element.append(n)}draft(){return{text:this.#n?.value??"",values:this.#o.filter(({checked:e})=>e).map(({value:e})=>e)}}focusText(){(this.#e.options.length===0||this.#e.prompt)&&this.#n?.focus()}choose(e){if(this.#e.prompt)return;let t=this.#e.options[e],s=this.#h(e);if(t===void 0||s===void 0)return;let i=K(this.#s[e]??s);if(s.focus(),!i)return;let n=this.#o[e];n!==void 0?(n.checked=!n.checked,this.#i(this.draft())):this.#e.severity!=="danger"&&this.#f([t.value])}step(e){let t=this.#e.options.map((a,d)=>this.#h(d)),s=this.element.getRootNode(),i=t.findIndex(a=>a===s.activeElement),n=i<0?e>0?0:t.length-1:(i+e+t.length)%t.length;t[n]?.focus()}get typing(){if(this.#n===void 0)return!1;let{secret:e}=this.#e;return this.#n.value!==this.#d||e&&document.hasFocus()&&this.#n.matches(":focus")}end(){if(this.#r=!0,this.#n!==void 0){this.forget(),this.#n.placeholder="",this.#n.readOnly=!0,this.button!==void 0&&(this.button.hidden=!0);for(let e of this.element.children)e instanceof HTMLElement&&(e.hidden=e!==this.#n)}}send(){if(this.#r)return;let{text:e,values:t}=this.draft();if((this.#e.secret?e:e.trim())===""&&t.length===0){this.fail(this.#m());return}this.#f(t)}#m(){let{multiple:e,allowText:t,options:s,prompt:i}=this.#e;return e?t?"Choose at least one, or type an answer.":"Choose at least one.":s.length>0&&!i?"Choose an option, or type an answer.":"Type something first."}#f(e){this.#a.textContent="";let t=this.#e.prompt&&e.length>0?"":this.#n?.value??"";this.#t({action:"answer",values:e,text:t}),this.forget()}forget(){this.#e.secret&&this.#n!==void 0&&(this.#n.value="")}fail(e){this.#a.textContent=e,this.busy(!1)}busy(e){for(let t of[this.element,this.button])t?.classList.toggle("busy",e);this.element.setAttribute("aria-busy",String(e))}#h(e){return this.#o[e]??this.#s[e]}#u(e){let t=o("div","options");t.setAttribute("role","group"),t.setAttribute("aria-labelledby","title");let s=this.#e.severity==="danger"&&!this.#e.multiple;return this.#e.options.forEach((i,n)=>{let a=o("span","words");a.append(o("span","label",i.label)),i.description!==void 0&&a.append(o("span","description",i.description));let d=o("kbd","digit",n<9&&!this.#e.prompt?`${n+1}${s?" ⏎":""}`:"");if(d.setAttribute("aria-hidden","true"),this.#e.multiple){let l=o("input");l.type="checkbox",l.value=i.value,l.checked=e?.values.includes(i.value)??i.value===this.#e.default;let h=o("label","option");h.append(l,a,d),this.#o.push(l),this.#s.push(h),t.append(h)}else{let l=c("option","",()=>this.#f([i.value]));l.append(a,d),i.value===this.#e.default&&l.classList.add("default"),this.#s.push(l),t.append(l)}}),t}#l(e){let{secret:t,prompt:s,reveal:i,options:n,asker:a}=this.#e,d=t||s?o("input","text"):o("textarea","text");if(d instanceof HTMLInputElement){d.type=t?"password":"text",d.autocomplete=t?"one-time-code":"off",d.autocapitalize="off",d.spellcheck=!1;for(let l of["1pIgnore","lpignore","bwignore"])d.dataset[l]="true"}else d.rows=n.length>0?1:3,d.value=e?.text??this.#d,d.addEventListener("keydown",l=>{l.key!=="Enter"||l.shiftKey||l.isComposing||(l.preventDefault(),this.send())});return d.setAttribute("aria-label",t?"Secret":"Your answer"),s?d.placeholder=t?"Only the program gets this":"Type it here":t?d.placeholder=`${Q[a]} ${i?"gets to see this":"learns only that you have typed something"}`:d.placeholder=n.length>0?"Or type an answer":"Type an answer",d}};function P(r){let e=o("p","caps","Caps Lock is on");e.hidden=!0,e.setAttribute("role","status");for(let t of["keydown","keyup"])r.addEventListener(t,s=>e.hidden=!s.getModifierState("CapsLock"));return r.addEventListener("blur",()=>e.hidden=!0),e}function K(r){let e=r.closest(".body")?.getBoundingClientRect(),{top:t,bottom:s}=r.getBoundingClientRect(),i=(t+s)/2;return e===void 0||i>=e.top&&i<=e.bottom}var q={answered:"answered",default:"no reaction, default taken",timed_out:"no reaction in time",dismissed:"dismissed",declined:"declined",withdrawn:"withdrawn by the agent",no_human:"could not be shown"};function E(r){let e=q[r.outcome]??r.outcome;return r.answer===""?e:`${r.outcome==="answered"?"":`${e}: `}${r.answer}`}function L(r){let e=o("ol","history");for(let t of r){let s=o("li"),i=o("time","",new Date(t.at).toLocaleTimeString([],{hour:"2-digit",minute:"2-digit"}));i.dateTime=new Date(t.at).toISOString(),s.append(i,o("span","asked",t.title),o("span",`outcome ${t.outcome}`,E(t))),e.append(s)}return e}var B=u("M12 7v5l3 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z"),W=u("M6 9a6 6 0 0 1 12 0c0 6 2 7 2 7H4s2-1 2-7M10 20a2 2 0 0 0 4 0"),V=u("M6 9a6 6 0 0 1 10-4.5M18 10c.2 5 2 6 2 6H4s2-1 2-7M10 20a2 2 0 0 0 4 0M3 3l18 18"),F=u("M14 3.4A6 6 0 0 0 6 9c0 6-2 7-2 7h16s-1.5-.8-1.9-4M10 20a2 2 0 0 0 4 0M19 2v6M16 5h6"),Y=u("M6 9l6 6 6-6"),_=72,b=class{element=o("dialog");#e;#i=o("h2");#t=o("div","message");#s=o("div","images");#o=o("div","reading");#n=o("div");#a=o("slot");#d=o("slot");#r=o("div","body");#m=o("span","sending");#f=[new f(this.#r),new f(this.#o)];#h=o("section");#u=o("span","meta");#l=o("span","left");#w=o("p","covered");#b=o("p","over");#x;#M=o("div","sr");#v;#k;#p;#c;#y={position:"",muted:!1,canNotify:!1,history:[]};#g;constructor(e){this.#e=e,this.element.setAttribute("role","dialog"),this.element.setAttribute("aria-modal","true"),this.element.setAttribute("aria-labelledby","title"),this.element.setAttribute("aria-describedby","message"),this.element.tabIndex=-1,this.#i.id="title",this.#t.id="message",this.#h.setAttribute("aria-label","Past questions"),this.#h.hidden=!0,this.#v=c("tool bell","",()=>this.#z?e.notify():e.muted(!this.#y.muted)),this.#k=c("tool past","",()=>this.#H(!this.#T),"Past questions"),this.#k.innerHTML=B,this.#k.setAttribute("aria-expanded","false");let t=c("tool away","",()=>this.#S(),"Later: keep the question and what you have typed (Escape)");t.innerHTML=Y,this.#x=c("quiet decline","I won’t answer",()=>this.#E?this.#S():this.#L({action:"decline",values:[],text:""}));let s=o("header");s.append(this.#i,this.#d,this.#v,this.#k,t),this.#o.append(this.#t,this.#s),this.#r.append(this.#o,this.#n,this.#w,this.#b,this.#h),this.#w.setAttribute("role","status"),this.#b.setAttribute("role","alert");let i=o("footer"),n=o("div","facts");n.append(this.#u,this.#l);let a=o("div","acts");a.append(this.#x,this.#m),i.append(n,a),this.#M.setAttribute("role","status"),this.#a.name="notes",this.#d.name="tools",this.element.append(this.#a,s,this.#r,i,this.#M);let d=new ResizeObserver(()=>this.#C());for(let l of[this.element,s,this.#r,...this.#r.children,this.#t,this.#s,i])d.observe(l);this.element.addEventListener("cancel",l=>{l.preventDefault()}),this.element.addEventListener("keydown",l=>this.#D(l))}get#T(){return this.#h.hidden===!1}get#z(){return this.#y.canNotify&&!this.#y.muted}get#E(){return!this.#b.hidden}get question(){return this.#p}get typing(){return this.#c?.typing??!1}show(e,t){this.#c?.forget(),this.#p=e,this.#b.hidden=!0,this.element.className=e.severity,this.#i.textContent=e.title,this.#t.innerHTML=e.html,this.#s.replaceChildren(...e.images.map(({src:s,alt:i})=>{let n=o("img");return n.src=s,n.alt=i??"",n})),this.#s.hidden=e.images.length===0,this.#c=new g(e,t,s=>this.#e.drafted(e,s),s=>this.#L(s)),this.#n.replaceChildren(this.#c.element),this.#m.replaceChildren(...this.#c.button===void 0?[]:[this.#c.button]),this.#x.textContent=e.prompt?"Leave it unanswered":"I won’t answer",this.#H(!1),this.element.open||this.element.showModal(),this.element.focus(),clearInterval(this.#g),this.#g=setInterval(()=>this.#A(),1e3),this.#A()}end(){let{prompt:e,secret:t}=this.#p??{};this.#c?.end(),this.#H(!1);let s=t===!0?"What you typed was dropped, and so is what you type now.":"What you typed was not sent. You can still copy it; what you type now is dropped.";this.#b.textContent=`${e===!0?"The program no longer asks for this.":"This question is over."} ${s} Close this with Escape.`,this.#b.hidden=!1,this.#x.textContent="Close",this.element.getRootNode().activeElement?.checkVisibility()!==!0&&this.element.focus(),this.#A()}settled(e){this.element.classList.toggle("settled",e);let t=this.element.getRootNode();e&&this.element.open&&t.activeElement===this.element&&this.#c?.focusText()}covered(e){if(this.#w.hidden=e==="",e===""||this.#w.firstChild!==null)return;let t=o("a","","Answer it in a page of its own.");t.href=e,t.target="_blank",this.#w.append("Something on this page may cover a part of this question, so it takes no answer here. ",t)}height(){let{element:e}=this;return Math.ceil(e.scrollHeight+e.offsetHeight-e.clientHeight-this.#r.offsetHeight+this.#R)}close(){this.#p=void 0,this.#c?.forget(),clearInterval(this.#g),this.element.open&&this.element.close()}surround(e){this.#y=e;let t=this.#z;this.#v.innerHTML=t?F:e.muted?V:W,t?this.#v.removeAttribute("aria-pressed"):this.#v.setAttribute("aria-pressed",String(e.muted));let s=t?"Notify me: show a desktop notification when there is a question":"Silence the chime";this.#v.setAttribute("aria-label",s),this.#v.title=e.muted?"The chime is silent":s,this.#k.hidden=e.history.length===0,this.#T&&this.#h.replaceChildren(L(e.history)),this.#A()}announce(e){this.#M.textContent=e}fail(e){this.#c?.fail(e)}#L(e){this.#p!==void 0&&(this.#c?.busy(!0),this.#e.replied(this.#p,e))}#S(){this.#p!==void 0&&this.#e.postpone(this.#p)}#H(e){this.#h.hidden=!e,this.#i.textContent=e?"Past questions":this.#p?.title??"",this.#k.setAttribute("aria-expanded",String(e));for(let t of[this.#o,this.#n,this.#x,this.#m])t.hidden=e;e&&this.#h.replaceChildren(L(this.#y.history))}get#R(){return this.#r.scrollHeight+this.#o.scrollHeight-this.#o.clientHeight}#C(){let e=this.#o.scrollHeight,t=this.#R-e+Math.min(e,_)<=this.#r.clientHeight;this.element.classList.toggle("pinned",t);for(let s of this.#f)s.update();this.#e.resized()}#A(){if(this.#p===void 0)return;let{ends:e,options:t,default:s,workspace:i}=this.#p,n=Math.max(0,Math.round((e-performance.now())/1e3)),{position:a}=this.#y,d=i.split("/").at(-1)??"";this.#u.replaceChildren(a,o("span","workspace",a!==""&&d!==""?` · ${d}`:d));let l=t.find(k=>k.value===s)?.label??s,h=`${Math.floor(n/60)}:${String(n%60).padStart(2,"0")}`;this.#l.hidden=n>=3600||this.#E,this.#l.textContent=s===""?`${h} left`:`in ${h}: “${l}”`,this.#l.title=l,this.#u.title=i}#D(e){if(e.isComposing)return;let s=e.composedPath().some(n=>n instanceof HTMLTextAreaElement||n instanceof HTMLInputElement&&n.type!=="checkbox"),i=!e.ctrlKey&&!e.metaKey&&!e.altKey;switch(e.key){case"Escape":e.preventDefault(),this.#T?this.#H(!1):this.#S();return;case"Tab":return this.#O(e);case"ArrowDown":case"ArrowUp":return s||!i||this.#T||this.#E?void 0:(e.preventDefault(),this.#c?.step(e.key==="ArrowDown"?1:-1))}/^[1-9]$/.test(e.key)&&!s&&i&&!e.repeat&&!this.#T&&!this.#E&&(e.preventDefault(),this.#c?.choose(Number(e.key)-1))}#O(e){let s=[...this.#a.assignedElements(),...this.#d.assignedElements(),this.element].flatMap(a=>[...a.querySelectorAll("a[href], button, input, textarea")]).filter(a=>a.checkVisibility()),i=this.element.getRootNode().activeElement??document.activeElement,n=e.shiftKey?s[0]:s.at(-1);i!==n&&!(e.shiftKey&&i===this.element)||(e.preventDefault(),(e.shiftKey?s.at(-1):s[0])?.focus())}};var M="ui-popup-draft:";function S(r,e){try{e.text===""&&e.values.length===0?sessionStorage.removeItem(M+r):sessionStorage.setItem(M+r,JSON.stringify(e))}catch{}}function C(r){try{let e=sessionStorage.getItem(M+r);return e===null?void 0:JSON.parse(e)}catch{return}}function D(r){S(r,{text:"",values:[]})}var v=class{#e=new Map;#i;#t;constructor(e){this.#i=e}get any(){return this.#e.size>0}press(e){this.#e.set(e,performance.now()),this.#s()}release(e){this.#e.delete(e),this.#i()}clear(){this.#e.clear(),this.#i()}#s(){clearTimeout(this.#t);let e=this.#e.size,t=performance.now();for(let[s,i]of this.#e)t-i>=5e3&&this.#e.delete(s);this.any&&(this.#t=setTimeout(()=>this.#s(),5e3-(t-Math.min(...this.#e.values())))),this.#e.size<e&&this.#i()}};var G=500,U=/^(F\d+|Shift|Control|Alt|Meta|CapsLock|NumLock|AltGraph|Dead|Process|Unidentified)$/,w=class{#e;#i;#t=new v(()=>this.#l());#s=!1;#o=0;#n=1/0;#a=1/0;#d=-1/0;#r;#m;constructor(e,t){this.#e=e,this.#i=t;let s=(i,n)=>{let a=d=>{d.isTrusted?n(d):t(d)&&y(d)};window.addEventListener(i,a,{capture:!0})};s("keydown",i=>{U.test(i.key)||i.ctrlKey||i.metaKey||i.altKey||this.#f(i,`key ${i.code}`)}),s("keyup",i=>this.#h(`key ${i.code}`)),s("pointerdown",i=>this.#f(i,`pointer ${i.pointerId}`)),s("mousedown",i=>{this.#r===!1&&t(i)&&y(i)});for(let i of["pointerup","pointercancel"])s(i,n=>this.#h(`pointer ${n.pointerId}`));s("click",i=>{!(this.#r??this.#s)&&t(i)&&y(i)});for(let i of["submit","input","change"])s(i,()=>{});window.addEventListener("blur",()=>this.#t.clear())}begin(){let e=++this.#o;this.#n=1/0,this.#r=this.#t.any?!1:void 0,this.#u(),requestAnimationFrame(()=>{setTimeout(()=>{e===this.#o&&(this.#n=performance.now(),this.#l())})})}visible(e){e!==this.#a<1/0&&(this.#a=e?performance.now():1/0,e?this.#l():this.#u())}#f(e,t){this.#t.press(t),this.#i(e)&&(this.#r=this.#s||e.type==="pointerdown"&&j(e),!this.#r&&(y(e),this.#d=performance.now(),this.#l()))}#h(e){this.#t.release(e),this.#t.any||setTimeout(()=>this.#r=void 0)}#u(){this.#s=!1,this.#e(!1),this.#l()}#l(){if(clearTimeout(this.#m),this.#s||this.#t.any)return;let e=Math.max(this.#n,this.#a,this.#d)+G-performance.now();if(e>0){e<1/0&&(this.#m=setTimeout(()=>this.#l(),e));return}this.#s=!0,this.#e(!0)}};function j(r){return r.composedPath().some(e=>e instanceof HTMLElement&&e.dataset.harmless!==void 0)}function y(r){r.preventDefault(),r.stopImmediatePropagation()}var O=`
  --surface: light-dark(#ffffff, #1d1f28);
  --sunken: light-dark(#f0f1f6, #282b37);
  --text: light-dark(#1b1d28, #eceef6);
  --muted: light-dark(#5d6273, #a0a6ba);
  --line: light-dark(#d5d8e3, #3a3f50);
  --accent: light-dark(#4650c9, #9aa3ff);
  --on-accent: light-dark(#ffffff, #14162a);
  --danger: light-dark(#b3261e, #ff9a92);
  --warning: light-dark(#8a5a00, #f0c060);
`;var I=`
:host {
  ${O}
  --shade: light-dark(rgb(20 22 42 / 0.16), rgb(0 0 0 / 0.55));
  --pad: 1.25rem;
  --mono: ui-monospace, Menlo, "Liberation Mono", monospace;
  all: initial; color-scheme: inherit; color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif;
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

/* In a conversation, the question is the frame's content, which gets as high as it. */
:host([data-fills]) dialog {
  inline-size: 100%; max-inline-size: none; max-block-size: 100dvh; margin: 0 0 auto;
  border-inline-width: 0; border-block-end-width: 0; border-radius: 0; box-shadow: 0 2px 16px rgb(0 0 0 / 0.16);
}
:host([data-fills]) dialog:not(.warning, .danger) { border-width: 0; }
:host([data-fills]) dialog::backdrop { background: color-mix(in srgb, var(--surface) 75%, transparent); }

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

.body { flex: 1; display: flex; flex-direction: column; min-block-size: 0; overflow: auto; overscroll-behavior: contain; padding: 0.5rem var(--pad) 0.25rem; }
.body > * { flex: none; }
.reading { display: flow-root; margin-inline: calc(-1 * var(--pad)); padding-inline: var(--pad); }
.pinned .body { overflow: hidden; }
.pinned .reading { flex: 0 1 auto; min-block-size: 0; overflow: auto; overscroll-behavior: contain; }
.body::before, .body::after, .reading::before, .reading::after {
  content: ""; display: none; flex: none; position: sticky; z-index: 1; block-size: 1rem; margin-inline: calc(-1 * var(--pad)); pointer-events: none;
}
.cut-above::before { display: block; inset-block-start: 0; margin-block-end: -1rem; background: linear-gradient(var(--shade), transparent); }
.cut-below::after { display: block; inset-block-end: 0; margin-block-start: -1rem; background: linear-gradient(transparent, var(--shade)); }
.body.cut-above::before { inset-block-start: -0.5rem; }
.body.cut-below::after { inset-block-end: -0.25rem; }
.message { overflow-wrap: anywhere; }
.message p { white-space: pre-line; margin: 0.5rem 0; }
.message h1, .message h2, .message h3, .message h4, .message h5, .message h6 { font-size: 1rem; margin: 0.9rem 0 0.3rem; }
.message pre { padding: 0.7rem 0.9rem; border-radius: 9px; background: var(--sunken); overflow: auto; white-space: pre-wrap; }
.message code { font: 0.875em/1.5 var(--mono); }
.message :not(pre) > code { padding: 0.1em 0.3em; border-radius: 5px; background: var(--sunken); }
.message ul, .message ol { margin: 0.4rem 0; padding-inline-start: 1.4rem; }
.message blockquote { margin: 0.5rem 0; padding-inline-start: 0.9rem; border-inline-start: 3px solid var(--line); color: var(--muted); }
.message table { border-collapse: collapse; display: block; overflow: auto; }
.message th, .message td { padding: 0.3rem 0.6rem; border: 1px solid var(--line); text-align: start; }
.message a { color: var(--accent); }
.images { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-block: 0.5rem; }
.images img { max-inline-size: 100%; max-block-size: 18rem; border-radius: 9px; border: 1px solid var(--line); }

.options { margin: 0.75rem 0; display: grid; gap: 0.5rem; }
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
.caps { margin: 0; color: var(--warning); font-size: 0.875rem; }
.error { margin: 0; color: var(--danger); font-size: 0.875rem; }
.error:empty { display: none; }
.send {
  min-block-size: 2.5rem; padding: 0.4rem 1.4rem; border: 0; border-radius: 11px;
  background: var(--accent); color: var(--on-accent); font-weight: 600;
}
.send:hover { filter: brightness(1.08); }
dialog:not(.settled) :is(.form, .sending) { opacity: 0.55; }
.form, .sending { transition: opacity 0.15s; }
.sending:empty { display: none; }
.covered, .over { margin: 0.75rem 0; padding: 0.6rem 0.8rem; border-radius: 9px; background: var(--sunken); font-size: 0.875rem; }
.covered a { color: var(--accent); }
.busy { opacity: 0.6; pointer-events: none; }

footer {
  display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem; padding: 0.6rem var(--pad) 0.8rem;
  color: var(--muted); font-size: 0.8125rem;
}
.facts { flex: 1 1 11rem; display: flex; gap: 0.75rem; min-inline-size: 0; }
.acts { flex: none; display: flex; align-items: center; gap: 0.75rem; margin-inline-start: auto; }
.meta, .left { min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.meta { flex: 1 1 5rem; }
.left { flex: 0 1 auto; font-variant-numeric: tabular-nums; }
.quiet { min-block-size: 2rem; padding: 0.2rem 0.6rem; border: 0; border-radius: 8px; background: none; color: var(--muted); }
.quiet:hover { background: var(--sunken); color: var(--text); }

.history { margin: 0.5rem 0; padding: 0; list-style: none; font-size: 0.875rem; }
.history li { display: grid; grid-template-columns: auto 1fr; gap: 0 0.75rem; padding: 0.45rem 0; border-block-end: 1px solid var(--line); }
.history time { color: var(--muted); font-variant-numeric: tabular-nums; }
.history .asked { overflow-wrap: anywhere; font-weight: 550; }
.history .outcome { grid-column: 2; color: var(--muted); overflow-wrap: anywhere; }
.history .answered { color: var(--accent); }

.corner {
  position: fixed; inset: auto 0 0 auto; z-index: 2147483647; margin: 0; padding: 1.5rem 0.75rem 0.75rem 1.5rem; border: 0; background: none; overflow: visible;
  display: none; flex-direction: column; align-items: flex-end; gap: 0.5rem; inline-size: max-content; max-inline-size: min(24rem, 100vw); color: var(--text);
}
.corner.used { display: flex; }
.corner.measured { max-inline-size: 24rem; }
.toast { padding: 0.5rem 0.9rem; border-radius: 11px; background: var(--text); color: var(--surface); font-size: 0.875rem; }
.chip {
  display: flex; align-items: center; gap: 0.6rem; max-inline-size: 100%; min-block-size: 2.75rem; padding: 0.4rem 0.4rem 0.4rem 1rem;
  border: 1px solid var(--accent); border-radius: 999px; background: var(--surface); box-shadow: 0 6px 24px rgb(0 0 0 / 0.25);
}
.chip .open { flex: 1; min-inline-size: 0; border: 0; padding: 0.3rem 0.4rem; margin-inline-start: -0.4rem; border-radius: 999px; background: none; font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.sr { position: absolute; inset: 0 auto auto 0; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

@media (prefers-reduced-motion: no-preference) {
  dialog[open], .chip, .toast { animation: rise 0.12s ease-out; }
  @keyframes rise { from { transform: translateY(0.4rem); } }
}
@media (max-width: 480px) {
  dialog { --pad: 1rem; }
  header { padding-inline-start: var(--pad); gap: 0; }
  header .tool { min-inline-size: 2rem; padding: 0 0.25rem; }
  :host([data-fills]) header { flex-wrap: wrap-reverse; justify-content: flex-end; padding-block: 0.375rem 0.25rem; }
  :host([data-fills]) h2 { flex: 1 1 100%; }
  :host([data-fills]) .workspace { display: none; } /* the conversation is about one */
}
@media (max-width: 340px) { h2 { font-size: 1rem; } }
@media (pointer: coarse) { .digit { display: none; } }
`;var x=class{#e;#i;#t=!1;#s=!1;#o=!1;constructor(e){this.#e=e,window.addEventListener("resize",()=>this.#n())}observe(e,t){this.stop(),this.#t=t;let s={threshold:[0,.5,.9,.98,1],trackVisibility:!0,delay:100};this.#i=new IntersectionObserver(i=>{let n=i.at(-1);this.#s=n.intersectionRatio>=.98&&n.isVisible!==!1,this.#n()},s),this.#i.observe(e)}stop(){this.#i?.disconnect(),this.#i=void 0,this.#s=!1,this.#n()}#n(){let t=(this.#t||window.innerWidth>=200&&window.innerHeight>=120)&&this.#s;t!==this.#o&&(this.#o=t,this.#e(t))}};var J=new Set(["answered","declined","dismissed"]),X=3e3,$=class extends HTMLElement{#e=new m;#i=o("div","sr");#t;#s;#o;#n;#a;#d=()=>!1;#r=new Set;#m=new Set;#f=new Set;#h=!1;#u=!1;#l;#w=!1;#b="none";#x;constructor(e){super(),this.#t=new b({replied:(i,n)=>this.#v(i,n),postpone:i=>this.#k(i),drafted:(i,n)=>{!i.secret&&!i.prompt&&S(i.id,n)},muted:i=>{H(i),this.#g()},notify:()=>this.#o.askToNotify(),resized:()=>this.#g()}),this.#s=new p({open:()=>{this.#e.resume(),this.#u=!0,this.#g()},dismiss:i=>this.#v(i,{action:"dismiss",values:[],text:""}),resized:()=>this.#g()}),this.#i.setAttribute("role","status");let t=this.attachShadow({mode:"open"}),s=new CSSStyleSheet;s.replaceSync(I),t.adoptedStyleSheets=[s],t.append(this.#i,this.#s.element,this.#t.element),this.#n=new w(i=>{this.dataset.settled=String(i),this.#t.settled(i)},i=>this.#t.element.open||i.composedPath().includes(this.#s.element)),this.#a=new x(i=>{this.#w=i,this.#n.visible(i),i&&this.#t.covered(""),this.#L()}),this.#o=e(()=>this.#g()),document.addEventListener("visibilitychange",()=>this.#L())}connect(e){this.#d=e,this.#r.clear(),this.#h=!0}state(e){let{fresh:t,over:s}=this.#e.update(e);for(let a of s)this.#p(a);this.#h&&this.#M();let i=this.#e.all().filter(({id:a})=>this.#e.isMine(a)&&!this.#m.has(a)),n=i[0]??t[0];n!==void 0&&this.#y(`Question: ${n.title}${t.length>1?`, and ${t.length-1} more`:""}`);for(let a of i)this.#m.add(a.id),A(a.id,()=>{T()||R(),this.#o.call()});this.#g()}verdict(e){if(e.ok||e.over===!0){!e.ok&&e.error!==void 0&&this.#c(e.error);return}this.#f.delete(e.id),this.#t.question?.id===e.id&&this.#t.fail(e.error??"The answer was not taken.")}offline(){this.#d=()=>!1,this.dataset.connection="offline",this.#t.question!==void 0&&this.#t.fail("Not connected. Your answer can be sent when the server is back.")}online(){this.dataset.connection="live",this.#t.question!==void 0&&this.#t.fail("")}lost(e){this.#f.delete(e)&&this.#t.question?.id===e&&this.#t.fail("The connection broke before your answer arrived. Please answer again.")}#M(){this.#h=!1;for(let e of[...this.#f])this.lost(e)}#v(e,t){if(!this.#d({type:"answer",id:e.id,...t})){this.#t.fail("Not connected. Try again in a moment.");return}this.#f.add(e.id)}#k(e){if(e.id===this.#l){this.#l=void 0,this.#g();return}this.#e.postpone(e.id),this.#u=!1,this.#g(!0),this.#t.question===void 0&&this.#s.focus(),this.#y("Kept for later. Press Escape once more to dismiss the question.")}#p(e){this.#r.delete(e),this.#m.delete(e),D(e);let t=this.#e.outcome(e),s=this.#f.delete(e)&&(t===void 0||J.has(t.outcome));if(!s&&this.#t.question?.id===e&&this.#t.typing)this.#l=e,this.#t.end();else if(!s&&t!==void 0){let i=t.channel===""||t.channel==="page"?"":` (${t.channel})`;this.#c(`${t.title}: ${E(t)}${i}`)}}#c(e){this.#y(e),this.#s.notify(e)}#y(e){this.#i.textContent=e,this.#t.announce(e)}#g(e=!1){let t=this.#e.all(),s=this.#z();s===void 0?this.#u=!1:this.#T("dialog");let i=this.#o.mode==="dialog"?s:void 0,n=this.#t.question;n!==void 0&&n.id!==i?.id&&this.#t.close(),i!==void 0&&this.#t.question===void 0&&(this.#t.show(i,i.secret?void 0:C(i.id)),this.#n.begin(),this.#u=!1);let a=this.#t.question,d=this.#e.waiting>1&&a!==void 0&&a.id!==this.#l?`${t.indexOf(a)+1} of ${this.#e.waiting}`:"";this.#t.surround({position:d,muted:T(),canNotify:this.#o.canNotify,history:this.#e.history});let l=t.find(({id:k})=>this.#e.isMine(k));this.#s.waiting(a===void 0?this.#e.waiting:0,l??t[0],l!==void 0);let h=a!==void 0?"dialog":this.#e.waiting>0?"chip":"idle";h==="chip"&&this.dataset.state!=="chip"&&this.#n.begin(),this.dataset.state=h,this.dataset.question=a?.id??"",this.#E(h==="dialog"?"dialog":h==="chip"?"corner":"none"),this.#T(s!==void 0?"dialog":this.#s.used?"corner":"none",e),this.#L()}#T(e,t=!1){let s=this.#t.question===void 0?this.#s.size():{width:0,height:this.#t.height()};this.#o.want({mode:e,asked:this.#u,focus:t,...s,waiting:this.#e.waiting})}#z(){let e=this.#t.question;return e!==void 0&&e.id===this.#l||e!==void 0&&this.#e.has(e.id)&&!this.#e.isPostponed(e.id)?e:this.#e.current()??(this.#u?this.#e.all()[0]:void 0)}#E(e){e!==this.#b&&(this.#b=e,e==="none"?this.#a.stop():e==="corner"?this.#a.observe(this.#s.element,!0):this.#a.observe(this.#t.element,!1))}#L(){let e=this.#w||document.visibilityState==="hidden";clearTimeout(this.#x);for(let{id:t}of this.#e.all())!e||!this.#e.isMine(t)||this.#r.has(t)||this.#d({type:"shown",id:t})&&this.#r.add(t);!e&&this.#b!=="none"&&(this.#x=setTimeout(()=>this.#S(),X))}#S(){this.#t.covered(this.#o.address);for(let e of this.#r)this.#d({type:"hidden",id:e});this.#r.clear()}};export{$ as PopupElement};
