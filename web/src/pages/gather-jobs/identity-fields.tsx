import { Autocomplete, Select, TagsInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { fieldErrorOf } from '../../components/field-error-of.ts';

interface Values {
  purls: string[];
  project_url: string;
  version_of: Schemas['VersionOf'];
  lifecycle_product: string;
  vulnerability_packages: string[];
}

/**
 * Fields for the identifiers of the software in other databases. Pacekeeper derives them unless a user sets
 * them.
 */
export function IdentityFields<FormValues extends Values>({
  form,
  sourceType,
}: {
  form: UseFormReturnType<FormValues>;
  sourceType: Schemas['ReleaseSourceType'];
}) {
  const { lifecycle_product } = form.values;
  const found = useApi('listLifecycleProducts', { query: { q: lifecycle_product, limit: 20 } });
  return (
    <>
      <TagsInput
        label="Package URLs"
        description="Names of this software in other data sources, such as vulnerability databases. For example, pkg:github/grafana/grafana. Leave empty to derive them from the source. Press Enter after each."
        splitChars={[',', ' ']}
        acceptValueOnBlur
        maxTags={20}
        {...form.getInputProps('purls')}
        error={fieldErrorOf(form.errors, 'purls')}
      />
      <TextInput
        label="Project URL"
        description="Repository of the software, for its release notes. For example, https://github.com/grafana/grafana. Leave empty to derive it from the source."
        {...form.getInputProps('project_url')}
      />
      <Autocomplete
        label="Lifecycle"
        description="Product on endoflife.date that says when support ends, such as postgresql. Enter none if it has none. Leave empty to find it automatically."
        data={[...(found.data?.items.map(({ name }) => name) ?? []), 'none']}
        filter={({ options }) => options}
        {...form.getInputProps('lifecycle_product')}
      />
      <TagsInput
        label="Vulnerability packages"
        description="Packages in OSV whose known vulnerabilities apply, as ECOSYSTEM/NAME, such as Go/k8s.io/kubernetes. Leave empty to find them automatically. Press Enter after each."
        splitChars={[',']}
        acceptValueOnBlur
        maxTags={20}
        {...form.getInputProps('vulnerability_packages')}
        error={fieldErrorOf(form.errors, 'vulnerability_packages')}
      />
      {sourceType === 'helm_repository' && (
        <Select
          label="Version of"
          description="Which version to match with the release notes of the software."
          data={[
            { value: 'artifact', label: 'The chart' },
            { value: 'application', label: 'The application in the chart' },
          ]}
          allowDeselect={false}
          {...form.getInputProps('version_of')}
        />
      )}
    </>
  );
}
