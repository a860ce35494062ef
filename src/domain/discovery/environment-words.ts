/** Words that name the same environment in a path. */
interface EnvironmentWord {
  /** Value of the label `environment`. */
  name: string;
  spellings: readonly string[];
  /** True if applications, namespaces, and directories of tests often have these names as well. */
  isAmbiguous?: true;
}

/**
 * The words that name environments. An environment has two entries if only some of its words are ambiguous.
 */
export const environmentWords: readonly EnvironmentWord[] = [
  { name: 'dev', spellings: ['dev', 'develop', 'development'], isAmbiguous: true },
  { name: 'test', spellings: ['test', 'testing', 'tst'], isAmbiguous: true },
  { name: 'qa', spellings: ['qa'] },
  { name: 'uat', spellings: ['uat'] },
  { name: 'integration', spellings: ['integration', 'int'], isAmbiguous: true },
  { name: 'sandbox', spellings: ['sandbox', 'sbx'], isAmbiguous: true },
  { name: 'staging', spellings: ['staging', 'stage', 'stg'] },
  { name: 'preprod', spellings: ['preprod', 'pre-prod', 'preproduction', 'pre-production'] },
  { name: 'non-prod', spellings: ['nonprod', 'non-prod', 'nonproduction', 'non-production', 'not-prod'] },
  { name: 'prod', spellings: ['prod', 'production', 'prd'] },
  { name: 'prod', spellings: ['live'], isAmbiguous: true },
];
