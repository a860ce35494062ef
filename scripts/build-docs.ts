import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Marked, Renderer } from 'marked';

const docs = fileURLToPath(new URL('../docs', import.meta.url));

const style = `
:root { color-scheme: light dark; --text: light-dark(#1a1d21, #e2e5ea); --muted: light-dark(#5b6370, #a0a8b4); --line: light-dark(#e2e5ea, #343840); --ground: light-dark(#fff, #16181c); --code: light-dark(#f3f5f8, #23272d); --link: light-dark(#2653a0, #88a9dc); }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; color: var(--text); background: var(--ground); }
.page { display: grid; grid-template-columns: 15rem minmax(0, 48rem); gap: 3rem; max-width: 72rem; margin: 0 auto; padding: 1.5rem; }
nav { position: sticky; top: 1.5rem; align-self: start; max-height: calc(100vh - 3rem); overflow-y: auto; font-size: 0.9rem; }
nav a { text-decoration: none; } nav a:hover { text-decoration: underline; }
nav p { margin: 0 0 0.4rem; }
nav ul { list-style: none; padding: 0; margin: 0.2rem 0 1rem; }
nav a[aria-current] { color: inherit; font-weight: 600; text-decoration: none; }
a { color: var(--link); }
h1 { font-size: 1.8rem; line-height: 1.25; margin-top: 0; } h2 { margin-top: 2.2rem; font-size: 1.25rem; border-top: 1px solid var(--line); padding-top: 1.2rem; }
pre { background: var(--code); padding: 0.8rem 1rem; overflow-x: auto; border-radius: 8px; font-size: 0.85rem; line-height: 1.5; }
img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 8px; }
code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 0.9em; background: var(--code); padding: 0.1em 0.3em; border-radius: 4px; overflow-wrap: anywhere; }
pre code { padding: 0; background: none; }
.table { overflow-x: auto; } table { border-collapse: collapse; font-size: 0.9rem; } th, td { text-align: start; vertical-align: top; padding: 0.4rem 0.8rem 0.4rem 0; border-bottom: 1px solid var(--line); } th { color: var(--muted); } td:first-child code { overflow-wrap: normal; }
@media (max-width: 60rem) { .page { grid-template-columns: minmax(0, 1fr); gap: 0; } nav { position: static; max-height: none; } nav ul { columns: 2; } }
`;

/**
 * Builds the documentation as pages for `/docs`, without scripts and without resources from other hosts.
 * @param folder Output directory.
 */
export function buildDocs(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'docs.css'), style.trim());
  const contents = render(readFileSync(path.join(docs, 'README.md'), 'utf8'))
    .replace(/<h1[\s\S]*?<\/h1>\s*<p>[\s\S]*?<\/p>/, '')
    // Keep only the titles for the sidebar, because the first page describes each page.
    .replaceAll(/(<li><a [^>]*>[^<]*<\/a>)[\s\S]*?<\/li>/g, '$1</li>')
    .replace(
      /<li>[^<]*<code>(\/api\/[^<]*)<\/code>[^<]*<\/li>/,
      '<li><a href="$1">API reference (alpha)</a></li>',
    );
  mkdirSync(path.join(folder, 'screenshots'), { recursive: true });
  const files = readdirSync(docs, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.md'))) {
    const html = render(readFileSync(path.join(docs, file), 'utf8'));
    // Screenshots might be missing, because taking them requires the built UI.
    for (const [, picture] of html.matchAll(/<img src="\/docs\/(screenshots\/[^"]+)"/g))
      if (existsSync(path.join(docs, picture!)))
        copyFileSync(path.join(docs, picture!), path.join(folder, picture!));
    const title = /<h1[^>]*>(.*?)<\/h1>/.exec(html)?.[1] ?? 'Documentation';
    const name = pageName(file);
    const here = contents.replace(`href="${name}"`, `href="${name}" aria-current="page"`);
    writeFileSync(
      path.join(folder, `${path.basename(name) === 'docs' ? 'index' : path.basename(name)}.html`),
      `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Pacekeeper</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
<div class="page">
<nav aria-label="Documentation"><p><a href="/">Pacekeeper</a> · <a href="/docs">Documentation</a></p>${here}</nav>
<main>
${html}
</main>
</div>
</body>
</html>
`,
    );
  }
}

/**
 * Returns the path of a page: `/docs/rules` for `rules.md`, `/docs/slack` for `guides/slack.md`, `/docs` for the README.
 * File names are unique across directories.
 */
function pageName(file: string): string {
  const name = path.basename(file, '.md');
  return name === 'README' ? '/docs' : `/docs/${name}`;
}

function render(markdown: string): string {
  const marked = new Marked({ gfm: true });
  const plain = new Renderer();
  marked.use({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = text
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} -]/gu, '')
          .replaceAll(' ', '-');
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      table(token) {
        return `<div class="table" tabindex="0">${plain.table.call(this, token)}</div>`;
      },
    },
    walkTokens(token) {
      if (token.type === 'image' && /^(?:\.\.\/)?screenshots\//.test(token.href))
        token.href = `/docs/${token.href.replace('../', '')}`;
      if (token.type !== 'link' || /^[a-z]+:|^\//.test(token.href)) return;
      const [file = '', anchor] = token.href.split('#');
      if (file.endsWith('.md')) token.href = pageName(file) + (anchor ? `#${anchor}` : '');
    },
  });
  return marked.parse(markdown.replaceAll(/<!--[\s\S]*?-->\n*/g, ''), { async: false });
}
