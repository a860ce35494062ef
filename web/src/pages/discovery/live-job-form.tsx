import { Checkbox, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { bodyDefaults } from '../../../../src/generated/body-defaults.ts';
import { CredentialField } from '../../components/credential-field.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { suggestedSchedules } from '../../components/suggested-schedules.ts';
import { useSubmit } from '../../components/use-submit.ts';
import {
  DiscoveryJobFields,
  type DiscoveryJobFormProps,
  jobValues,
  toJobRequest,
} from './discovery-job-fields.tsx';

type LiveKind = 'kubernetes_cluster' | 'container_host';

const texts = {
  kubernetes_cluster: {
    field: 'cluster_name',
    label: 'Cluster name',
    example: 'prod-eu',
    name: 'Everything in the cluster gets this name as its cluster label. If label rules for repositories set this label, use the same name.',
    credential: "The name of the cluster in the agent's configuration. Leave empty to use the cluster name.",
    ownName: 'Leave empty to use the cluster name.',
    include: {
      label: 'Objects to include',
      description:
        'For example, shop/ for a namespace, or shop/Deployment/. Press Enter after each. Leave empty for all objects.',
    },
    exclude: { label: 'Objects to exclude', description: 'For example, kube-system/.' },
  },
  container_host: {
    field: 'host_name',
    label: 'Host name',
    example: 'web-1',
    name: 'Everything on the host gets this name as its host label. If label rules for repositories set this label, use the same name.',
    credential: "The name of the socket in the agent's configuration. Leave empty to use the host name.",
    ownName: 'Leave empty to use the host name.',
    include: {
      label: 'Projects to include',
      description:
        'For example, shop/ for a Compose project or a stack, or container/ for all other containers. Press Enter after each. Leave empty for all containers.',
    },
    exclude: { label: 'Projects to exclude', description: 'For example, sandbox/.' },
  },
} as const;

export const ClusterForm = (props: DiscoveryJobFormProps) => (
  <LiveJobForm kind="kubernetes_cluster" {...props} />
);

export const HostForm = (props: DiscoveryJobFormProps) => <LiveJobForm kind="container_host" {...props} />;

/** Creates or edits a discovery job that scans running software: a cluster or a container host. */
function LiveJobForm({
  kind,
  job,
  save,
  submit,
  onCancel,
  isShort = false,
}: DiscoveryJobFormProps & { kind: LiveKind }) {
  const { field, label, example, name, credential, ownName, include, exclude } = texts[kind];
  const form = useForm({
    initialValues: {
      ...jobValues(job, suggestedSchedules.cluster),
      cluster_name: job?.cluster_name ?? '',
      host_name: job?.host_name ?? '',
      helm_secrets: (job ?? bodyDefaults.createDiscoveryJob).helm_secrets,
    },
  });
  const { onSubmit, error, isBusy } = useSubmit(form, (values) => {
    const { cluster_name, host_name, helm_secrets, ...common } = values;
    const orWhere = (text: string) => (text.trim() === '' ? values[field] : text);
    return save({
      ...common,
      ...toJobRequest(values),
      ...(kind === 'kubernetes_cluster'
        ? {
            cluster_name,
            helm_secrets,
          }
        : { host_name }),
      ...(job === undefined && { kind }),
      repository_url: null,
      ref: null,
      name: orWhere(values.name),
      credential_name: orWhere(values.credential_name),
    });
  });
  const secrets = kind === 'kubernetes_cluster' && (
    <Checkbox
      label="Read secrets of Helm releases"
      description="To identify charts exactly. The agent's role must allow listing secrets. Only the names, versions, and project URLs of charts leave the agent."
      {...form.getInputProps('helm_secrets', { type: 'checkbox' })}
    />
  );
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" maw={720}>
        <TextInput
          label={label}
          description={`For example, ${example}. ${name}`}
          required
          spellCheck={false}
          {...form.getInputProps(field)}
        />
        {isShort ? (
          secrets
        ) : (
          <>
            <CredentialField description={credential} {...form.getInputProps('credential_name')} />
            <TextInput label="Display name" description={ownName} {...form.getInputProps('name')} />
            <DiscoveryJobFields
              form={form}
              include={include}
              exclude={exclude}
              roles="Kinds of software that are accepted automatically or with Accept all."
            >
              {secrets}
            </DiscoveryJobFields>
          </>
        )}
        <FormActions submit={submit} isBusy={isBusy} error={error} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
