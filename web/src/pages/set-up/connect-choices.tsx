import { Text, UnstyledButton, type UnstyledButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import classes from '../../components/cards.module.css';

const CardLink = createLink((props: UnstyledButtonProps & { children?: React.ReactNode }) => (
  <UnstyledButton component="a" {...props} />
));

const choices = [
  {
    link: { to: '/connect', search: { kind: 'repository' } },
    label: 'Git repository',
    about: 'Manifests, charts, Dockerfiles, Terraform, and other files that name versions.',
  },
  {
    link: { to: '/connect', search: { kind: 'cluster' } },
    label: 'Kubernetes cluster',
    about: 'Running workloads and Helm releases. One Helm command installs an agent.',
  },
  {
    link: { to: '/connect', search: { kind: 'host' } },
    label: 'Container host',
    about: 'Docker or Podman containers. An agent on the host lists them.',
  },
  {
    link: { to: '/set-up' },
    label: 'Just one version',
    about: 'Enter the name of the software and the version that you run.',
  },
] as const;

/** Selects where Pacekeeper finds what is deployed, which is the first step of the setup. */
export function ConnectChoices() {
  return (
    <div className={classes.cards}>
      {choices.map(({ link, label, about }) => (
        <CardLink key={label} className={classes.card} {...link}>
          <Text span fw={600}>
            {label}
          </Text>
          <Text span size="sm" c="var(--text-muted)">
            {about}
          </Text>
        </CardLink>
      ))}
    </div>
  );
}
