function c(r,e,n){let t=o=>Object.is(o,-0)?0:o;return r<e?t(e):r>n?t(n):t(r)}export{c as a};
