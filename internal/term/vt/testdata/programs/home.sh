# Makes what the recorded programs show.
export GIT_AUTHOR_NAME=Demo GIT_AUTHOR_EMAIL=demo@example.com GIT_AUTHOR_DATE='2020-01-02 03:04:05 +0000'
export GIT_COMMITTER_NAME=Demo GIT_COMMITTER_EMAIL=demo@example.com GIT_COMMITTER_DATE='2020-01-02 03:04:05 +0000'
export GIT_CONFIG_NOSYSTEM=1 HOME=/home/demo

mkdir directory-1 directory-2 'directory with blanks'
touch directory-1/one directory-1/two 'directory with blanks/日本語.txt'
mkdir many
for i in $(seq 60); do touch "many/file $i.tar"; done
ln -s directory-2 link
ln -s nowhere broken
printf '#!/bin/sh\n' >run.sh
chmod +x run.sh
for i in $(seq 60); do printf 'command %s\nother %s with words\n' "$i" "$i"; done >.history
for i in $(seq 200); do printf 'line %s of some text that is long enough to be wrapped where the screen is narrow\n' "$i"; done >lines.txt
for i in $(seq 100); do
	printf '\033[3%dmline %d\033[0m \033[1mbold\033[0m \033[48;5;%dm palette \033[0m \033[38;2;%d;100;50mdirect\033[0m é 日本\n' $((i % 8)) "$i" "$i" "$i"
done >colors.txt
sed 's/ 日本//' colors.txt >narrow.txt
{
	printf 'import os\nimport sys\n\n# A comment, with é and 日本.\n'
	for i in $(seq 40); do printf 'def f%d(x, y="text %d"):\n    """What it does."""\n    if x > %d:\n        return [x, y, None]\n    return {"key": %d}\n\n' "$i" "$i" "$i" "$i"; done
} >code.py
git init -q -b main .
git add code.py
git commit -qm 'Begin with the code'
git checkout -qb side
git add lines.txt
git commit -qm 'Add lines'
git checkout -q main
sed -i 's/None/True/' code.py
git commit -qam 'Change all functions'
git merge -q --no-edit side
git tag v1
sed -i '5s/x/z/' code.py
git commit -qam 'Rename: 日本語'
