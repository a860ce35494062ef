import { readImageAssignment } from '../embedded-images.ts';
import { emptyExtraction, type Fact } from '../fact.ts';
import { readWrittenPlugin } from '../jenkins-plugins.ts';
import { looksLikeImage, readImage, splitImage } from '../read-image.ts';
import { isTemplated } from '../read-version.ts';
import { maxFactsPerFile } from '../scan-limits.ts';
import type { TextExtractor } from './extractor.ts';

/**
 * Matches the image in which a pipeline runs: the agent `docker { image '…' }` or `docker '…'`,
 * `docker.image('…')`, and `containerTemplate(image: '…')`.
 */
const images =
  /\b(?:docker\.image\([ \t]{0,20}|image(?::|[ \t])[ \t]{0,20}|docker[ \t]{1,20})(?:"([^"\s]{1,500})"|'([^'\s]{1,500})')/g;

/** Matches the image of a container in the YAML of a pod. */
const podImage = /^[ \t]*(?:- )?image:[ \t]+([^\s"']{1,500})[ \t]*$/;

/**
 * Images of Jenkins pipelines, and lists of plugins. A pipeline is a program, so only literal images are read.
 *
 * @see https://www.jenkins.io/doc/book/pipeline/docker/
 */
export const jenkins: TextExtractor = {
  name: 'ci_pipelines',
  wantsFile: ({ base }) => /^Jenkinsfile|\.jenkinsfile$/i.test(base) || isPluginList(base),
  isNamed: ({ base }) => !isPluginList(base),
  extract(text, { base }) {
    if (isPluginList(base)) return { ...emptyExtraction(), facts: readPlugins(text) };
    const facts: Fact[] = [];
    for (const [at, whole] of text.split('\n').entries()) {
      const line = whole.slice(0, 1_000);
      if (facts.length >= maxFactsPerFile) break;
      if (/^\s*(?:\/\/|\*|\/\*|#)/.test(line)) continue;
      const variable = readImageAssignment(
        line.trim().replace(/^(?:(?:def|final|static|String) +)+|^env\./, ''),
      );
      const found = [
        ...Array.from(line.matchAll(images), ([, double, single]) => double ?? single ?? ''),
        podImage.exec(line)?.[1] ?? '',
        variable?.sign === '=' ? variable.image : '',
      ];
      for (const image of new Set(found.filter((each) => each !== ''))) {
        const parts = looksLikeImage(image) ? splitImage(image) : null;
        // A variable alone doesn't identify an image.
        if (!parts || (isTemplated(parts.name) && !/[\w-]\/[\w-]{1,128}$/.test(parts.name))) continue;
        facts.push({
          extractor: 'ci_pipelines',
          place: {
            line: at + 1,
            document: 0,
            kind: 'pipeline',
            namespace: null,
            name: null,
            field: `image ${parts.name}`,
          },
          ...readImage(parts),
          note: null,
        });
      }
    }
    return { ...emptyExtraction(), facts };
  },
};

function isPluginList(base: string): boolean {
  return /^(?:[\w-]+[._-])?plugins\.txt$/i.test(base);
}

/** Reads a list with a line `name:version` for each plugin. Returns nothing for other texts. */
function readPlugins(text: string): Fact[] {
  const facts: Fact[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    const [written = ''] = line.slice(0, 300).split('#');
    if (written.trim() === '' || facts.length >= maxFactsPerFile) continue;
    const plugin = readWrittenPlugin(written);
    if (!plugin) return [];
    if (plugin.version === null) continue;
    const place = { line: at + 1, document: 0, kind: null, namespace: null, name: null };
    facts.push({ extractor: 'ci_pipelines', place: { ...place, field: plugin.artifact.name }, ...plugin });
  }
  return facts;
}
