/**
 * Malicious Markdown that attempts to run scripts, load resources, or navigate away. `hostileNotes` contains
 * each of these strings alone and inside other Markdown.
 */
const vectors = [
  '<script>fetch("https://evil.example/")</script>',
  '<img src="https://evil.example/x.png" onerror="alert(1)">',
  '<iframe src="https://evil.example"></iframe>',
  '<svg onload="alert(1)"><use href="https://evil.example/#x"></use></svg>',
  '<style>@import url(https://evil.example/x.css)</style>',
  '<a href="javascript:alert(1)">click</a>',
  '![pixel](https://evil.example/pixel.png)',
  '![x](data:image/svg+xml;base64,PHN2Zy8+)',
  '[click](javascript:alert(1))',
  '[click](JaVaScRiPt:alert(1))',
  '[click](java\tscript:alert(1))',
  '[click](data:text/html,<script>alert(1)</script>)',
  '[click](vbscript:x)',
  '[click](//evil.example/x)',
  '[click](/relative)',
  '[click](https://user:password@evil.example/)',
  '<javascript:alert(1)>',
  '[click][ref]\n\n[ref]: javascript:alert(1)',
  '[click](&#106;avascript:alert(1))',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<!--<img src="--><img src=x onerror=alert(1)>',
  '<details open ontoggle=alert(1)>',
  'https://evil.example/<script>',
  '[^1]\n\n[^1]: <img src=x>',
  '`<img src=x onerror=alert(1)>`',
];

const contexts: readonly ((vector: string) => string)[] = [
  (vector) => vector,
  (vector) => `# ${vector}`,
  (vector) => `> ${vector}`,
  (vector) => `- one\n- ${vector}`,
  (vector) => `| a | b |\n|---|---|\n| ${vector.replaceAll('|', '')} | x |`,
  (vector) => `**bold ${vector}** _${vector}_`,
  (vector) => `[text ${vector}](https://example.org)`,
  (vector) => `before\n\n\`\`\`\n${vector}\n\`\`\`\n\n${vector}\nafter`,
];

export const hostileNotes: readonly string[] = vectors.flatMap((vector) =>
  contexts.map((context) => context(vector)),
);
