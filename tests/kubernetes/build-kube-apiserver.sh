#!/bin/sh
# Builds kube-apiserver from its Go modules into the current directory. Requires Go, 4 GB of memory, and 20 minutes on
# two cores. Only tests/pipeline/kube-apiserver.test.ts uses it, so CI doesn't build it.
set -eu
version=${1:-1.34.4}
minor=$(echo "$version" | cut -d. -f2)
target=$PWD/kube-apiserver
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$(dirname "$0")/main.go" "$folder"
cd "$folder"
# The Kubernetes module replaces these with local directories, which exist only in its own builds.
{
  echo "module example.org/kube-apiserver"
  echo "go 1.24.0"
  echo "require k8s.io/kubernetes v$version"
  for name in api apiextensions-apiserver apimachinery apiserver cli-runtime client-go cloud-provider \
    cluster-bootstrap code-generator component-base component-helpers controller-manager cri-api cri-client \
    csi-translation-lib dynamic-resource-allocation endpointslice externaljwt kms kube-aggregator \
    kube-controller-manager kube-proxy kube-scheduler kubectl kubelet metrics mount-utils pod-security-admission \
    sample-apiserver sample-cli-plugin sample-controller; do
    echo "replace k8s.io/$name => k8s.io/$name v0.${version#1.}"
  done
} > go.mod
go mod tidy
flags=k8s.io/component-base/version
CGO_ENABLED=0 nice go build -p 1 -o "$target" \
  -ldflags "-s -w -X $flags.gitVersion=v$version -X $flags.gitMajor=1 -X $flags.gitMinor=$minor" .
