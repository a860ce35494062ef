import { ownValue } from '../../json/own-value.ts';
import { softwareFact } from '../download-address.ts';
import { readImageAssignment } from '../embedded-images.ts';
import { emptyExtraction, type Fact } from '../fact.ts';
import { locateNode } from '../manifest.ts';
import { readNamedVersion } from '../named-versions.ts';
import { parseDocument, textAt, treeAt } from '../read-documents.ts';
import { isSecretName } from '../read-dotenv.ts';
import { readImage, readWrittenImage, splitImage } from '../read-image.ts';
import { maxFactsPerFile } from '../scan-limits.ts';
import type { TextExtractor } from './extractor.ts';

/**
 * The image and the features of a dev container, the tools that features install, and the images and the versions of
 * software in the arguments of its build.
 *
 * @see https://containers.dev/implementors/json_reference/
 */
export const devcontainer: TextExtractor = {
  name: 'devcontainer',
  wantsFile: ({ base }) => base === 'devcontainer.json' || base === '.devcontainer.json',
  extract(text) {
    const result = emptyExtraction();
    // The added comment causes the text to be parsed as YAML, because only YAML values have line numbers.
    const read = parseDocument({ text: `#\n${withoutComments(text)}`, index: 0, line: 0 });
    if (!read.ok || read.document.tree.kind !== 'map') {
      result.problems.push({ line: 1, reason: 'malformed', message: 'Not valid JSON with comments.' });
      return result;
    }
    const { document } = read;
    const add = (fact: Omit<Fact, 'extractor'>) => result.facts.push({ extractor: 'devcontainer', ...fact });
    const image = treeAt(document.tree, 'image');
    const written = image?.kind === 'scalar' ? readWrittenImage(image.text) : null;
    if (written) add({ place: locateNode(document, image, null, 'image'), ...written });
    const features = treeAt(document.tree, 'features');
    for (const [name, options] of features?.kind === 'map' ? features.entries() : []) {
      if (result.facts.length >= maxFactsPerFile) break;
      // Skip local features and features in archives, which have no versions that can be compared.
      const feature = /^[\w.-]+\.[a-z]+(?::\d+)?\//i.test(name.slice(0, 300)) ? readWrittenImage(name) : null;
      if (!feature) continue;
      const field = `features ${feature.artifact.name}`;
      const place = locateNode(document, options, null, field);
      add({ place, ...feature });
      const id = feature.artifact.name.slice(feature.artifact.name.lastIndexOf('/') + 1);
      const version = textAt(options, 'version');
      if (version === null || !/^v?\d/.test(version)) continue;
      const tool = ownValue(otherNames, id) ?? id;
      const toolPlace = locateNode(document, treeAt(options, 'version'), null, `${field} version`);
      // Read an incomplete version as a range, because features install the newest version that begins with
      // these numbers.
      const software = softwareFact({ repository: null, tool }, version, 'chart');
      add({ place: toolPlace, ...software, note: `installed by the feature ${id}`.slice(0, 300) });
    }
    const args = treeAt(document.tree, 'build', 'args');
    for (const [name, value] of args?.kind === 'map' ? args.entries() : []) {
      if (result.facts.length >= maxFactsPerFile) break;
      if (value.kind !== 'scalar' || isSecretName(name)) continue;
      const image = readImageAssignment(`${name}="${value.text}"`);
      const parts = image === null ? null : splitImage(image.image);
      const found = parts ? { ...readImage(parts), note: null } : readNamedVersion(name, value.text);
      if (found) add({ place: locateNode(document, value, null, `build.args.${name}`), ...found });
    }
    return result;
  },
};

/** Tools whose name differs from the name of the feature that installs them. */
const otherNames: Readonly<Record<string, string>> = {
  'aws-cli': 'awscli',
  'docker-in-docker': 'docker',
  'docker-outside-of-docker': 'docker',
  'github-cli': 'gh',
  'kubectl-helm-minikube': 'kubectl',
};

/** Replaces comments and tabs outside of strings with spaces, so that lines and offsets stay the same. */
function withoutComments(text: string): string {
  let result = '';
  let at = 0;
  while (at < text.length) {
    const end = endOfPart(text, at);
    const part = text.slice(at, end);
    const isKept = part !== '\t' && !part.startsWith('//') && !part.startsWith('/*');
    result += isKept ? part : part.replaceAll(/[^\n]/g, ' ');
    at = end;
  }
  return result;
}

/** Returns the end of the string or comment at a position, or of a single character. */
function endOfPart(text: string, at: number): number {
  const find = (end: string) => {
    const found = text.indexOf(end, at + 2);
    return found < 0 ? text.length : found;
  };
  if (text.startsWith('//', at)) return find('\n');
  if (text.startsWith('/*', at)) return Math.min(text.length, find('*/') + 2);
  if (text[at] !== '"') return at + 1;
  let end = at + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return Math.min(text.length, end + 1);
}
