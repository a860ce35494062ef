/** Rewords a message of the YAML parser in which the missing quotation mark itself looks like an opening quote. */
export function yamlProblem(message: string): string {
  return message.replace(/Missing closing (["'])quote/, 'Missing closing quote ($1)');
}
