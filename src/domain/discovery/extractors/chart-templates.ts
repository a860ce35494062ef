import type { Link } from '../fact.ts';
import { versionedKinds } from './object-versions.ts';
import { readPart } from './template-charts.ts';

/** Maximum number of links of each kind from one template. */
const maxLinks = 200;

/**
 * Returns what a template of a chart shows about the chart's values: the tags for which it uses `appVersion`
 * as the default, and the versions of objects that are in the values.
 */
export function readChartTemplate(text: string): Link[] {
  const links: Link[] = [];
  const uses = readAppVersionUses(text);
  if (uses.paths.length > 0 || uses.isOpen) links.push({ type: 'app_version_uses', ...uses });
  if (/[vV]ersion:\s+["']?\{\{/.test(text)) links.push(...readTemplatedVersions(text));
  return links;
}

/**
 * Finds the values for which a template uses `appVersion` as the default. Helpers can get the chart or the
 * values as arguments, so in that case the use can be that of any value.
 */
function readAppVersionUses(text: string): { paths: string[]; isOpen: boolean } {
  const paths = new Set<string>();
  let isOpen = false;
  if (!text.includes('Chart')) return { paths: [], isOpen };
  for (const line of text.split('\n')) {
    if (!line.includes('Chart')) continue;
    const written = line.slice(0, 2_000);
    for (const [expression] of written.matchAll(/\{\{[^{}]*\}\}/g)) {
      // A helper that gets the chart, such as that of Bitnami, can use its version.
      const isPassed =
        /\.Chart[\s)}]/.test(expression) && !/\binclude\s+"[^"]*(?:name|labels?)"/.test(expression);
      if (!isPassed && !/\bChart\.[aA]ppVersion\b/.test(expression)) continue;
      const own = [...expression.matchAll(/\.Values\.([\w.-]+)/g)].map(([, path]) => path!);
      for (const path of own) if (paths.size < maxLinks) paths.add(path);
      const isFallback =
        isPassed || /\b(?:default|coalesce|ternary|or|else|dict|printf|tag|image)\b|:=/.test(expression);
      // In a label such as `app.kubernetes.io/version`, the version isn't that of an image.
      if (own.length === 0 && (isFallback || /image|tag/i.test(written))) isOpen = true;
    }
  }
  return { paths: [...paths], isOpen };
}

/** Returns the versions that objects of operators take from the values of the chart. */
function readTemplatedVersions(text: string): Link[] {
  const links: Link[] = [];
  for (const document of text.split(/^---/m)) {
    const kind = /^kind:[ \t]*["']?(\w+)["']?[ \t]*$/m.exec(document)?.[1];
    const apiVersion = /^apiVersion:[ \t]*["']?([\w./-]+)["']?[ \t]*$/m.exec(document)?.[1];
    if (kind === undefined || apiVersion === undefined) continue;
    const known = versionedKinds(kind, apiVersion);
    if (known.length === 0) continue;
    const name = /^metadata:[ \t]*\n(?:[ \t].*\n){0,5}?[ \t]+name:\s*["']?([\w.-]+)["']?\s*$/m.exec(
      document,
    )?.[1];
    const open: { indent: number; key: string }[] = [];
    for (const line of document.split('\n')) {
      const [, space, key, value] =
        /^(\s{0,200})([\w.-]{1,200}):(?:\s{1,200}(.*))?$/.exec(line.slice(0, 1_000)) ?? [];
      if (space === undefined || key === undefined) continue;
      while (open.length > 0 && open.at(-1)!.indent >= space.length) open.pop();
      open.push({ indent: space.length, key });
      const field = open.map((each) => each.key).join('.');
      const found = known.find(({ path }) => path === field);
      const part = found && value !== undefined ? readPart(value) : null;
      if (found && part && 'path' in part && links.length < maxLinks)
        links.push({
          type: 'templated_version',
          kind,
          name: name ?? null,
          field,
          path: part.path,
          software: found.software,
        });
    }
  }
  return links;
}
