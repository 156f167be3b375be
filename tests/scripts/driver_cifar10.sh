#!/usr/bin/env bash
# CIFAR-10 files that cannot be used, and models that do not fit: one sentence, exit status 2.
. "$(dirname "$0")/driver.bash"
cd "$work" || exit 1

# refused <sentence>: about the folder data/.
refused() {
  expect 2 "$1" --set /data/kind=cifar10 --set /data/path=data
}

refused "data: expected a folder of CIFAR-10 batches, got none"
mkdir data
refused "data: expected files data_batch_*.bin, plain or .gz, got none"
head -c 6146 /dev/zero >data/data_batch_1.bin # two records, labels and pixels 0
refused "data: expected files test_batch*.bin, plain or .gz, got none"
mkdir data/test_batch.bin
refused "data/test_batch.bin: expected a file, got a folder"
rmdir data/test_batch.bin
: >data/test_batch_first1000.bin
refused "data/test_batch_first1000.bin: record 0, byte 0: expected records of 3073 bytes, got the end of the file"
head -c 3072 /dev/zero >data/test_batch_first1000.bin
refused "data/test_batch_first1000.bin: record 0, byte 3072: expected records of 3073 bytes, got the end of the file"
head -c 3073 /dev/zero | gzip >data/test_batch_first1000.bin.gz
rm data/test_batch_first1000.bin
good="--set: /data: expected a model for samples of 3x32x32, got lenet5 for 1x28x28"
refused "$good"
printf 'more' >>data/test_batch_first1000.bin.gz
refused "data/test_batch_first1000.bin.gz: byte 3073: expected intact gzip data, got incorrect header check"
head -c 20 data/test_batch_first1000.bin.gz >data/test_batch_2.bin.gz
rm data/test_batch_first1000.bin.gz
"$simulate" --set /data/kind=cifar10 --set /data/path=data >stdout 2>stderr
[ $? -eq 2 ] || fault "cut gzip data: exit status"
grep -qE '^data/test_batch_2\.bin\.gz: byte [0-9]+: expected more gzip data, got the end of the file$' \
  stderr || fault "cut gzip data: $(cat stderr)"

folder=${GOSSIP_DATA:-}/cifar-10
if [ -n "${GOSSIP_DATA:-}" ] && [ -d "$folder" ]; then
  for arguments in "" --dry-run; do
    expect 2 "$good" $arguments --set /data/kind=cifar10 --set /data/path="$folder"
  done
  head -c 1000000 "$folder/data_batch_3.bin.gz" >data/data_batch_1.bin.gz
  rm data/data_batch_1.bin
  "$simulate" --set /data/kind=cifar10 --set /data/path=data >stdout 2>stderr
  [ $? -eq 2 ] && grep -q 'expected more gzip data, got the end of the file$' stderr ||
    fault "a cut batch: $(cat stderr)"
else
  echo "skipped in part: the real files are not here (GOSSIP_DATA/cifar-10)"
fi
finish
