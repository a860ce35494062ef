import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The licenses of packages whose code is bundled in the distributed files. Nearly all of these licenses
 * require that their text is included.
 */

export interface LicensedPackage {
  name: string;
  version: string;
  /** License identifier, such as `MIT`. */
  identifier: string;
  text: string;
}

/** Returns the directory of the package that a module belongs to, or `null` for modules of Pacekeeper. */
export function packageFolder(moduleId: string): string | null {
  const [, folder] = /^\0?(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/.exec(moduleId) ?? [];
  return folder ?? null;
}

/**
 * Returns the names of packages whose code is part of another package's module. Rolldown starts each original module
 * with a comment.
 */
export function includedPackages(code: string): string[] {
  const starts = code.matchAll(/^\/\/#region .*\/node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm);
  return [...new Set([...starts].map(([, name]) => name!))];
}

/**
 * Reads the license of an installed package.
 * @param folder Directory of the package.
 */
export function readLicense(folder: string): LicensedPackage {
  const { name, version, license, author } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  ) as { name: string; version: string; license: string; author?: string };
  const files = readdirSync(folder).toSorted();
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8').trim();
  const texts = files
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file) || file.endsWith('.LICENSE.txt'))
    .map(read);
  const readme = files.filter((file) => /^readme/i.test(file)).map(read);
  const text = texts.join('\n\n') || readme.map(licenseSection).find((section) => section !== null);
  // Some packages don't include a license text. For MIT, the standard text is enough.
  if (text === undefined && license !== 'MIT') throw new Error(`${folder} has no license text.`);
  return { name, version, identifier: license, text: text ?? `Copyright (c) ${author}\n\n${mitText}` };
}

function licenseSection(readme: string): string | null {
  const [, section = ''] = /^#+ licen[cs]e\n([^]*)/im.exec(readme) ?? [];
  return section.includes('Permission is hereby granted') ? section.trim() : null;
}

const mitText = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;

export function licensesText(packages: readonly LicensedPackage[]): string {
  const byName = new Map(packages.map((each) => [`${each.name} ${each.version}`, each]));
  const sections = [...byName]
    .toSorted(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([title, { identifier, text }]) => `${title} (${identifier})\n\n${text}\n`);
  const line = `\n${'-'.repeat(80)}\n\n`;
  return `Pacekeeper contains code of these packages.\n${line}${sections.join(line)}`;
}
