/**
 * Rewords a message of the YAML parser. The parser's message opens a quote around the missing quotation mark
 * and doesn't close it.
 */
export function yamlProblem(message: string): string {
  return message.replace(/Missing closing (["'])quote/, 'Missing closing quote ($1)');
}
