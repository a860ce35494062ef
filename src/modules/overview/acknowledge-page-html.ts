import { createHash } from 'node:crypto';
import type { AlertRow } from '../alerts/index.ts';

const style = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; padding: 2rem 1rem; color: #1a1d21; background: #f4f5f7; }
main { max-width: 34rem; margin: 0 auto; padding: 1.5rem 2rem; background: #fff; border: 1px solid #d9dce1; border-radius: 8px; }
h1 { font-size: 1.3rem; margin: 0 0 1rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem; margin: 1rem 0; }
dt { color: #5b6370; }
dd { margin: 0; overflow-wrap: anywhere; }
button, .button { display: inline-block; font: inherit; padding: .65rem 1.4rem; color: #fff; background: #1c5fb8; border: 0; border-radius: 6px; text-decoration: none; cursor: pointer; }
@media (prefers-color-scheme: dark) {
  body { color: #e6e8eb; background: #16181c; }
  main { background: #1f2227; border-color: #363b43; }
  dt { color: #9aa3af; }
}
`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** What the page is answered with. It has no script, loads nothing, and sends its form to itself only. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  // Under `no-referrer` browsers send `Origin: null` with the form. This one tells the origin and never the link.
  'referrer-policy': 'strict-origin',
};

/** A piece of HTML. Whatever is not made by `html` is text, and escaped. */
export interface Html {
  readonly html: string;
}

/** Puts values into HTML: texts are escaped, pieces stay as they are, `null` is nothing. */
export function html(parts: TemplateStringsArray, ...values: (Html | string | number | null)[]): Html {
  const escaped = values.map((value) => {
    if (value === null) return '';
    return typeof value === 'object' ? value.html : escapeText(String(value));
  });
  return { html: String.raw({ raw: parts }, ...escaped) };
}

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"'`]/g, (character) => `&#${character.codePointAt(0)};`);
}

export function renderPage(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Pacekeeper</title>
<style>${{ html: style }}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.html;
}

/** The button. The form goes to the address that the page has. */
export const acknowledgeForm = html`<form method="post"><button type="submit">Acknowledge</button></form>`;

/** Which alert it is about. */
export function describeAlert(alert: AlertRow): Html {
  const line = (term: string, value: string | null) =>
    value === null ? null : html`<dt>${term}</dt><dd>${value}</dd>\n`;
  return html`<dl>
${line('Configuration', alert.alert_config_name)}${line('Rule', alert.rule_name)}${line('Severity', alert.severity)}${line('Artifact', alert.artifact_name)}${line('Deployed', alert.discovered_version)}${line('Latest', alert.latest_version)}</dl>`;
}
