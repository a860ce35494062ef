import type { Link, TemplateDefinition, TemplateHelper } from '../fact.ts';
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
  if (uses.isOpen || uses.paths.length + uses.helpers.length + uses.definitions.length > 0)
    links.push({ type: 'app_version_uses', ...uses });
  if (/[vV]ersion:\s+["']?\{\{/.test(text)) links.push(...readTemplatedVersions(text));
  return links;
}

/**
 * Finds the values for which a template uses `appVersion` as the default, and the helpers that can use it: those that get
 * the chart as an argument, and those in lines with images or tags.
 */
function readAppVersionUses(text: string): Omit<Extract<Link, { type: 'app_version_uses' }>, 'type'> {
  const paths = new Set<string>();
  const helpers = new Map<string, TemplateHelper>();
  const definitions: TemplateDefinition[] = [];
  let isOpen = false;
  for (const line of text.split('\n')) {
    if (!line.includes('{{')) continue;
    const written = line.slice(0, 2_000);
    for (const [expression] of written.matchAll(/\{\{[^{}]*\}\}/g)) {
      const defined = /^\{\{-?\s*(?:define|block)\s+"([^"]{1,200})"/.exec(expression)?.[1];
      if (defined !== undefined && definitions.length < maxLinks)
        definitions.push({ name: defined, usesAppVersion: false, paths: [], includes: [] });
      // The text below the last definition counts as a part of it.
      const definition = definitions.at(-1);
      const isUsed = /\b[cC]hart\.[aA]ppVersion\b/.test(expression);
      const own = [...expression.matchAll(/\.Values\.([\w.-]+)/g)]
        .map(([, path]) => path!)
        .slice(0, maxLinks);
      if (definition && isUsed) {
        definition.usesAppVersion = true;
        if (definition.paths.length < maxLinks) definition.paths.push(...own);
      }
      const helper = /\b(?:include|template)\s+"([^"]{1,200})"/.exec(expression)?.[1] ?? null;
      const isOther = helper !== null && /(?:name|labels?|pullsecrets?|pullpolicy)$/i.test(helper);
      const isPassed = /\.[cC]hart[\s)}]/.test(expression) && !isOther;
      if (helper !== null && !isOther && !isUsed && (isPassed || /image|tag/i.test(written))) {
        if (definition && definition.includes.length < maxLinks) definition.includes.push(helper);
        const key = JSON.stringify([helper, own]);
        if (helpers.size < maxLinks) helpers.set(key, { name: helper, paths: own });
        continue;
      }
      if (!expression.includes('Chart') || (!isPassed && !isUsed)) continue;
      for (const path of own) if (paths.size < maxLinks) paths.add(path);
      const isFallback =
        isPassed || /\b(?:default|coalesce|ternary|or|else|dict|printf|tag|image)\b|:=/.test(expression);
      // In a label such as `app.kubernetes.io/version`, the version isn't that of an image.
      if (own.length === 0 && (isFallback || /image|tag/i.test(written))) isOpen = true;
    }
  }
  return { paths: [...paths], isOpen, helpers: [...helpers.values()], definitions };
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
