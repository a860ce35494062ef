import { checkContent } from './content-limits.ts';
import { failure } from './parse-result.ts';
import { readBom } from './read-bom.ts';
import { findComponent, indexComponents, purlProblem } from './select-components.ts';
import type { VersionParser } from './version-parser.ts';

/** Maximum length of an expression, such as a package URL. */
const maxExpressionLength = 1_000;

/** Reads the version of one component from a bill of materials. */
export const sbomParser: VersionParser = {
  id: 'sbom',
  description:
    'A CycloneDX or SPDX document in JSON, with the package URL of a component without a version. If the document has several versions of it, the lowest one is used.',
  readsFile: true,

  checkExpression(expression) {
    const problem =
      expression.length > maxExpressionLength
        ? `must have at most ${maxExpressionLength} characters`
        : purlProblem(expression);
    return problem === null
      ? { ok: true }
      : { ok: false, message: `the package URL ${problem}`, position: null };
  },

  parse(content, expression) {
    const check = sbomParser.checkExpression(expression);
    if (!check.ok) return failure('expression', check.message);
    const unreadable = checkContent(content);
    if (unreadable) return unreadable;
    const bom = readBom(content);
    if (!bom.ok) return failure('content', `the content ${bom.problem}`);
    const found = findComponent(indexComponents(bom.components), { purl: expression });
    switch (found.status) {
      case 'found':
        return { ok: true, version: found.version };
      case 'not_found':
        return failure('match', 'the document has no component with this package URL');
      case 'no_version':
        return failure('version', found.problem);
    }
  },
};
