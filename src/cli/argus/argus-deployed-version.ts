import { parsePathExpression } from '../../domain/parsers/path-expression.ts';
import { compileCheapPattern } from '../../domain/patterns/compile-pattern.ts';
import { checkHeaders } from '../../domain/templates/check-headers.ts';
import { type Item, isItem } from '../call-operation.ts';
import { keepLastGroup, quotePattern, toCron } from './argus-patterns.ts';
import { type ArgusService, itemOf, textOf } from './read-argus.ts';

type AddNote = (note: string) => void;

/** Matches the names of URL parameters that contain secrets. */
const secretParameter = /token|key|secret|passw|auth|sig/i;

/** Converts the `deployed_version` of an Argus service to a scrape job without a name. */
export function toScrapeJob(
  service: ArgusService,
  options: { withSecrets: boolean },
  addNote: AddNote,
): Item {
  const { deployed } = service;
  const version = textOf(deployed?.['version']);
  const manual = { parser_type: 'manual' };
  if (deployed?.['type'] === 'manual') return version === null ? manual : { ...manual, version };
  if (deployed === null) {
    addNote("no deployed_version; set it with 'pacekeeper set-version' or read it from a repository");
    return manual;
  }
  const url = textOf(deployed['url']);
  const problem = url === null ? 'it has no url' : unsupportedReason(url, deployed);
  const parser = problem === null ? toParser(deployed) : null;
  if (url === null || problem !== null || parser === null || parser.problem !== null) {
    const why = problem ?? parser?.problem ?? '';
    addNote(
      `deployed_version: imported as a manual scrape job because ${why}; run 'pacekeeper set-version' in your pipeline`,
    );
    return manual;
  }
  for (const note of parser.notes) addNote(`deployed_version: ${note}`);
  if (deployed['allow_invalid_certs'] === true)
    addNote(
      'deployed_version.allow_invalid_certs: not supported; certificates are always verified. Add your certificate authority with PACEKEEPER_CA_FILE',
    );
  const address = new URL(url);
  const credentialName = credentialOf(service, deployed, address, addNote);
  address.username = '';
  address.password = '';
  if (!options.withSecrets) withoutSecrets(address, addNote);
  if (address.protocol === 'http:')
    addNote(
      `deployed_version.url uses plain HTTP; add ${address.host} to PACEKEEPER_INSECURE_HOSTS of the agent`,
    );
  return {
    source: 'http',
    url: address.href,
    parser_type: parser.type,
    parse_expression: parser.expression,
    ...(credentialName !== null && { credential_name: credentialName }),
    cron_expression: toCron(service.interval),
  };
}

function unsupportedReason(url: string, deployed: Item): string | null {
  if (/\$\{/.test(url)) return 'its url contains a variable';
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return "its url isn't valid";
  const method = (textOf(deployed['method']) ?? 'GET').toUpperCase();
  if (method !== 'GET' || textOf(deployed['body']))
    return `it requires a ${method} request or a request body, and scrape jobs send only GET requests`;
  if (textOf(deployed['target_header'])) return 'it reads a response header';
  return null;
}

interface Parser {
  type: 'yq' | 'regex';
  expression: string;
  notes: string[];
  problem: string | null;
}

/**
 * Converts the `json` path and the `regex` of a `deployed_version` to one parser. If both are set, Argus applies the
 * regex to the value at the path.
 */
function toParser(deployed: Item): Parser {
  const json = textOf(deployed['json']);
  const regex = textOf(deployed['regex']);
  const none = (problem: string): Parser => ({ type: 'regex', expression: '', notes: [], problem });
  const template = textOf(deployed['regex_template']);
  if (regex !== null && template !== null && template !== '$1')
    return none(`the template ${template} of a regex isn't supported`);
  const path = json === null ? null : `.${json.replace(/^\.|\.$/g, '')}`.replace(/^\.\[/, '.[');
  const parsed = path === null ? null : parsePathExpression(path);
  if (parsed?.ok === false) return none(`its json path ${json} isn't supported: ${parsed.message}`);
  if (regex === null)
    return path === null
      ? { type: 'regex', expression: '\\S+', notes: [], problem: null }
      : { type: 'yq', expression: path, notes: [], problem: null };
  const last = keepLastGroup(regex);
  if (last === null) return none(`can't parse the regex ${regex}`);
  const lastStep = parsed?.ok ? parsed.steps.at(-1) : undefined;
  const pattern = lastStep === undefined ? last : 'key' in lastStep ? withinField(lastStep.key, last) : null;
  if (pattern === null) return none(`a regex on the item of a list (${json}) isn't supported`);
  const compiled = compileCheapPattern(pattern);
  if (!compiled.ok) return none(`the pattern ${pattern} isn't supported: ${compiled.message}`);
  const notes =
    lastStep === undefined
      ? []
      : [`json and regex are combined into one pattern on the whole response: ${pattern}`];
  return { type: 'regex', expression: pattern, notes, problem: null };
}

/**
 * Converts a pattern for the value of a JSON field to a pattern that finds the field and its value in the JSON text.
 */
function withinField(key: string, regex: string): string {
  const starts = regex.startsWith('^');
  const ends = /(?:^|[^\\])\$$/.test(regex);
  const inner = regex.slice(starts ? 1 : 0, ends ? -1 : undefined);
  return `"${quotePattern(key)}"\\s*:\\s*"?${starts ? '' : '[^",}]*?'}(?:${inner})${ends ? '["\\s,}\\]]' : ''}`;
}

/**
 * Returns the name of the credential for the headers that Argus sends. The credential must be configured in
 * an agent.
 */
function credentialOf(service: ArgusService, deployed: Item, url: URL, addNote: AddNote): string | null {
  const basic = itemOf(deployed['basic_auth']);
  const isBasic = Object.keys(basic).length > 0 || url.username !== '';
  const given = deployed['headers'];
  const headers: string[] = (Array.isArray(given) ? given : []).flatMap((header: unknown) => {
    const key = isItem(header) ? textOf(header['key']) : null;
    return key === null ? [] : [key];
  });
  const refused = checkHeaders(Object.fromEntries(headers.map((name) => [name, 'x'])));
  const usable = headers.filter((name) => !refused.some((error) => error.name === name));
  for (const { name } of refused) addNote(`deployed_version.headers: ${name ?? 'some'} can't be sent`);
  if (!isBasic && usable.length === 0) return null;
  const name = `argus-${service.id
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')}`.slice(0, 200);
  const variable = name.toUpperCase().replaceAll('-', '_');
  const secrets =
    usable.length === 0
      ? `type: http_basic, hosts: [${url.host}], username: …, password: "env:${variable}_PASSWORD"`
      : `type: http_headers, hosts: [${url.host}], headers: { ${[
          ...(isBasic ? ['Authorization'] : []),
          ...usable,
        ]
          .map((header, index) => `${header}: "env:${variable}_HEADER_${index + 1}"`)
          .join(', ')} }`;
  addNote(`deployed_version sends credentials; add them to an agent: { name: ${name}, ${secrets} }`);
  return name;
}

function withoutSecrets(url: URL, addNote: AddNote): void {
  const secret = [...url.searchParams.keys()].filter((name) => secretParameter.test(name));
  if (secret.length === 0) return;
  for (const name of secret) url.searchParams.delete(name);
  addNote(
    `deployed_version.url: removed ${secret.join(', ')}, because everyone who sees the job sees its URL. Send it in a header with a credential, or import it with --with-secrets`,
  );
}
