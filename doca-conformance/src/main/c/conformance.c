/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the behaviour of a DOCA library, NVIDIA's or the emulator, rule by rule. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differences.h"
#include "document.h"
#include "peer.h"
#include "report.h"
#include "rule.h"
#include "sdk.h"

static const char usage[] =
        "conformance [OPTION]...\n"
        "Runs the rules on the DOCA libraries that the loader finds.\n"
        "  --sdk FOLDER            load the libraries from this folder\n"
        "  --only PATTERN          run only rules whose name or theme contains this text\n"
        "  --json FILE             also write the answers to this file\n"
        "  --quiet                 print only broken rules and outdated differences\n"
        "  --differences FILE      the file of known differences of the emulator\n"
        "  --list                  print the rules without running them\n"
        "  --compare A B           print the differences between two files of --json\n"
        "  --check-document FILE   fail if this page is out of date\n"
        "  --write-document FILE   update this page\n";

enum mode {
    MODE_RUN,
    MODE_LIST,
    MODE_COMPARE,
    MODE_CHECK_DOCUMENT,
    MODE_WRITE_DOCUMENT,
    MODE_PEER,
};

int
main(int argc, char **argv) {
    static const struct option names[] = {
        {"sdk", required_argument, NULL, 's'},
        {"only", required_argument, NULL, 'o'},
        {"json", required_argument, NULL, 'j'},
        {"quiet", no_argument, NULL, 'q'},
        {"differences", required_argument, NULL, 'd'},
        {"list", no_argument, NULL, 'l'},
        {"compare", required_argument, NULL, 'c'},
        {"check-document", required_argument, NULL, 'k'},
        {"write-document", required_argument, NULL, 'w'},
        {"peer", required_argument, NULL, 'p'},
        {NULL, 0, NULL, 0},
    };
    struct run_options options = {0};
    enum mode mode = MODE_RUN;
    const char *folder = NULL;
    const char *subject = NULL;
    for (int option = 0; (option = getopt_long(argc, argv, "", names, NULL)) >= 0;) {
        switch (option) {
            case 's':
                folder = optarg;
                break;
            case 'o':
                options.pattern = optarg;
                break;
            case 'j':
                options.json_path = optarg;
                break;
            case 'q':
                options.quiet = true;
                break;
            case 'd':
                if (!read_differences(optarg)) {
                    return 2;
                }
                break;
            case 'l':
                mode = MODE_LIST;
                break;
            case 'c':
                mode = MODE_COMPARE;
                subject = optarg;
                break;
            case 'k':
                mode = MODE_CHECK_DOCUMENT;
                subject = optarg;
                break;
            case 'w':
                mode = MODE_WRITE_DOCUMENT;
                subject = optarg;
                break;
            case 'p':
                mode = MODE_PEER;
                subject = optarg;
                break;
            default:
                fputs(usage, stderr);
                return 2;
        }
    }
    if (optind != argc - (mode == MODE_COMPARE ? 1 : 0)) {
        fputs(usage, stderr);
        return 2;
    }
    if (!has_rules(options.pattern)) {
        fprintf(stderr, "--only %s: no rule has this in its name or theme; --list shows them all\n", options.pattern);
        return 2;
    }
    switch (mode) {
        case MODE_LIST:
            list_rules(options.pattern);
            return 0;
        case MODE_COMPARE:
            return compare_runs(subject, argv[optind]);
        case MODE_CHECK_DOCUMENT:
            return check_document(subject) ? 0 : 1;
        case MODE_WRITE_DOCUMENT:
            return write_document(subject) ? 0 : 1;
        default:
            break;
    }
    if (!load_sdk(folder)) {
        return 2;
    }
    if (mode == MODE_PEER) {
        const struct rule *rule = find_rule(subject);
        if (rule == NULL || rule->peer == NULL) {
            return 2;
        }
        run_peer(rule);
    }
    return run_rules(&options) ? 0 : 1;
}
