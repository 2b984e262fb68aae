// The colours of questions, wherever they are asked.

export const COLORS = `
  --surface: light-dark(#ffffff, #1d1f28);
  --sunken: light-dark(#f0f1f6, #282b37);
  --text: light-dark(#1b1d28, #eceef6);
  --muted: light-dark(#5d6273, #a0a6ba);
  --line: light-dark(#d5d8e3, #3a3f50);
  --accent: light-dark(#4650c9, #9aa3ff);
  --on-accent: light-dark(#ffffff, #14162a);
  --danger: light-dark(#b3261e, #ff9a92);
  --warning: light-dark(#8a5a00, #f0c060);
`;
