import { createHash } from 'node:crypto';
import type { AlertRow } from '../alerts/index.ts';

const style = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; padding: 2rem 1rem; color: #1a1d21; background: #f4f5f7; }
main { overflow-wrap: anywhere; max-width: 34rem; margin: 0 auto; padding: 1.5rem 2rem; background: #fff; border: 1px solid #d9dce1; border-radius: 8px; }
h1 { font-size: 1.3rem; margin: 0 0 1rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem; margin: 1rem 0; }
dt { color: #5b6370; }
dd { margin: 0; }
button, .button { display: inline-block; font: inherit; padding: .65rem 1.4rem; color: #fff; background: #1c5fb8; border: 0; border-radius: 6px; text-decoration: none; cursor: pointer; }
@media (prefers-color-scheme: dark) {
  body { color: #e6e8eb; background: #16181c; }
  main { background: #1f2227; border-color: #363b43; }
  dt { color: #9aa3af; }
}
`;

const styleHash = createHash('sha256').update(style).digest('base64');

/**
 * Response headers of the page. They forbid scripts and external resources, and allow forms to submit only to
 * the same origin.
 */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  // With `no-referrer`, browsers send `Origin: null` with the form. `strict-origin` sends the origin but
  // never the link.
  'referrer-policy': 'strict-origin',
};

/** A fragment of HTML created by `html`. All other values are text and get escaped. */
export interface Html {
  readonly html: string;
}

/** Inserts values into HTML. Text is escaped, fragments are inserted unchanged, and `null` is omitted. */
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

/** Acknowledge button. Its form submits to the URL of the page. */
export const acknowledgeForm = html`<form method="post"><button type="submit">Acknowledge</button></form>`;

/** Renders the details of an alert. */
export function describeAlert(alert: AlertRow): Html {
  const line = (term: string, value: string | null) =>
    value === null ? null : html`<dt>${term}</dt><dd>${value}</dd>\n`;
  return html`<dl>
${line('Monitor', alert.alert_config_name)}${line('Rule', alert.rule_name)}${line('Severity', alert.severity)}${line('Artifact', alert.artifact_name)}${line('Deployed', alert.discovered_version)}${line('Latest', alert.latest_version)}</dl>`;
}
