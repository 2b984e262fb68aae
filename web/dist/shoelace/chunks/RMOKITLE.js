var c=n=>{var e;let{activeElement:t}=document;t&&n.contains(t)&&((e=document.activeElement)==null||e.blur())};export{c as a};
