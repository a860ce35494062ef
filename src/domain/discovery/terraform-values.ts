import { isSecretName } from './read-dotenv.ts';
import type { HclBody } from './read-hcl.ts';

/** A value that an expression can refer to, such as `var.tag` or `local.versions.web`. */
export type NamedValue = [name: string, value: string];

/** Returns the defaults of variables and the local values that are literal. */
export function readTerraformValues({ blocks }: HclBody): NamedValue[] {
  return blocks.flatMap(({ type, labels: [name], body }) => {
    if (type === 'locals') return literals(body, 'local', 0);
    const value = body.attributes.get('default');
    if (type !== 'variable' || name === undefined || !value) return [];
    return literals({ attributes: new Map([[name, value]]), blocks: [] }, 'var', 0);
  });
}

/** Returns the values of variables in a `.tfvars` file. */
export function readVariableValues(body: HclBody): NamedValue[] {
  return literals(body, 'var', 0);
}

/** True for a file that sets variables, in HCL or JSON. */
export function isVariablesFile(path: string): boolean {
  return /\.tfvars(?:\.json)?$/.test(path);
}

/** True for a `.tfvars` file that Terraform loads automatically. */
export function isAutoLoadedTfvars(base: string): boolean {
  return /(?:^terraform|\.auto)\.tfvars(?:\.json)?$/.test(base);
}

/** Maximum depth of the objects whose members can be referred to. */
const maxValueDepth = 4;

function literals({ attributes }: HclBody, prefix: string, depth: number): NamedValue[] {
  return [...attributes].flatMap(([name, value]): NamedValue[] => {
    if (isSecretName(name)) return [];
    const path = `${prefix}.${name}`;
    if (value.kind === 'object') return depth < maxValueDepth ? literals(value.body, path, depth + 1) : [];
    // Versions and images are short. Skip long texts, because they can be scripts with passwords.
    return value.kind === 'text' && value.text.length <= 500 ? [[path, value.text]] : [];
  });
}

/** Maximum length of a chain of values that refer to each other. */
const maxChain = 5;

/** Maximum length of a resolved text. The longest image reference with a digest is shorter. */
const maxLength = 1_000;

export interface Resolved {
  text: string;
  /** Names of the values that replaced a reference. */
  used: Set<string>;
}

/** Replaces `${var.NAME}` and `${local.NAME}`. References without a literal value stay as written. */
export function resolveReferences(text: string, values: ReadonlyMap<string, string>): Resolved {
  const used = new Set<string>();
  let resolved = text.slice(0, maxLength);
  for (let depth = 0; depth < maxChain; depth++) {
    const next = resolved
      .replaceAll(reference, (written, expression: string) => {
        const name = expression.replaceAll(/\["([\w.-]+)"\]/g, '.$1');
        const value = values.get(name);
        if (value !== undefined) used.add(name);
        return value ?? written;
      })
      // Limit the length, because the text can grow at each level if values refer to each other.
      .slice(0, maxLength);
    if (next === resolved) break;
    resolved = next;
  }
  return { text: resolved, used };
}

const reference = /\$\{\s*((?:var|local)(?:\.[\w-]+|\["[\w.-]+"\])+)\s*\}/g;
